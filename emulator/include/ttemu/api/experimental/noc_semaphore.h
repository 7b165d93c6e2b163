#pragma once

#include "ttemu/api/dataflow/noc_semaphore.h"
