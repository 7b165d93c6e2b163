// Of the runtime's inside, where trees of 2024 have it.
#pragma once
#include <dprint_server.hpp>
