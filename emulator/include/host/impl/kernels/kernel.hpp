// Kernels are numbers of a program.
#pragma once
#include <tt-metalium/host_api.hpp>
