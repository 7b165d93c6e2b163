#include "suite_common.hpp"
#include <tt_stl/sevens.hpp>
unsigned sevens(unsigned n) { return n * SEVENS; }
