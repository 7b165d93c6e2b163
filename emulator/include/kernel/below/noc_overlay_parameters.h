#pragma once

#include "ttemu/api/dataflow/stream_registers.h"
#include "ttemu/api/hardware.h"
