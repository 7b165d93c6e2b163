// DEVICE_PRINT: a format with {} and values.
#pragma once

#include "ttemu/api/debug/dprint.h"

#define DEVICE_PRINT(...) DPRINT(__VA_ARGS__)
#define DEVICE_PRINT_UNPACK(...) DPRINT_UNPACK(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_MATH(...) DPRINT_MATH(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_PACK(...) DPRINT_PACK(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_DATA0(...) DPRINT_DATA0(DPRINT(__VA_ARGS__))
#define DEVICE_PRINT_DATA1(...) DPRINT_DATA1(DPRINT(__VA_ARGS__))
