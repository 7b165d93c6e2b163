// Where trees before 2025 have it. Their headers bring along all names of std.
#pragma once
#include <tt-metalium/command_queue.hpp>
#include <tt-metalium/host_api.hpp>
#if defined(TTEMU_API) && TTEMU_API < 202603
#include <hostdevcommon/common_runtime_address_map.h>
#include <impl/context/metal_context.hpp> // which they bring along, too
#endif

#include <fstream>
#include <iostream>
#include <numeric>
#include <set>
#include <string>
#include <vector>
using namespace std;
