// Queues, where trees of early 2025 have them.
#pragma once
#include <tt-metalium/command_queue.hpp>
