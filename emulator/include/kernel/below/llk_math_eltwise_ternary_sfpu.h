#pragma once

#include "ttemu/api/below.h"
