// Stands in command_queue.hpp.
#pragma once
#include <tt-metalium/command_queue.hpp>
