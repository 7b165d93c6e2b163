#pragma once

#include "ttemu/api/remote_circular_buffer.h"
