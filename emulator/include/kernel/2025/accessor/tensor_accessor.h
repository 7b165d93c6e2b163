#pragma once

#include "ttemu/api/dataflow/addresses.h"
