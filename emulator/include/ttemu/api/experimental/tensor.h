#pragma once

#include "ttemu/api/experimental/noc.h"
