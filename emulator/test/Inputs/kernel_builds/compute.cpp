#include "api/compute/common.h"

void kernel_main() { MATH(volatile uint32_t some = get_compile_time_arg_val(0);) }
