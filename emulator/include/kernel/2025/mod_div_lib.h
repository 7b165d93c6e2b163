#pragma once

#include "ttemu/api/mod_div_lib.h"
