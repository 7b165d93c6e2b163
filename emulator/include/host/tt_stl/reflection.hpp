// Nothing of it is needed here: fmt prints what programs print.
#pragma once
#include <tt_stl/fmt.hpp>
