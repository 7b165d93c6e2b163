#pragma once

#include "ttemu/sfpi/params.h"
