#pragma once

#include "ttemu/api/compute/common_globals.h"
