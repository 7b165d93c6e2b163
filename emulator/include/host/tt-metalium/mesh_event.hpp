// All of it stands in distributed.hpp.
#pragma once
#include <tt-metalium/distributed.hpp>
