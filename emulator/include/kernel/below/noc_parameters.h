#pragma once

#include "ttemu/api/hardware.h"
