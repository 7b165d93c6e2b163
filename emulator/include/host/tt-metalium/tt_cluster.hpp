// Of the runtime's inside, where trees of 2025 have them.
#pragma once
#include <llrt/tt_cluster.hpp>
