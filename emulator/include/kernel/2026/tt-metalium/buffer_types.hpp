#pragma once

#include "host/tt-metalium/buffer_types.hpp"
