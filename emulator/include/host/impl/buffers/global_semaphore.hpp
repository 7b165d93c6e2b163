// Where trees of 2024 have it.
#pragma once
#include <tt-metalium/global_semaphore.hpp>
