// Where trees before 2025 have it. Their headers bring along all names of std.
#pragma once
#include <tt-metalium/command_queue.hpp>
#include <tt-metalium/host_api.hpp>

#include <fstream>
#include <iostream>
#include <numeric>
#include <set>
#include <string>
#include <vector>
using namespace std;
