// Of the runtime's inside, where trees of 2025 have it.
#pragma once
#include <dprint_server.hpp>
