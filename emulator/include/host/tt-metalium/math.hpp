// div_up and round_up.
#pragma once
#include <tt-metalium/host_api.hpp>
