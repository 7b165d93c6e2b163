#pragma once

#include "ttemu/api/circular_buffer_interface.h"
