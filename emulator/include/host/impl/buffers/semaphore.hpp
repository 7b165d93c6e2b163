// Semaphores are numbers.
#pragma once
#include <tt-metalium/host_api.hpp>
