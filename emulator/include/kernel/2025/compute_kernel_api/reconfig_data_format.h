// reconfig_data_format.h of 2025.
#pragma once
#include "ttemu/api/compute/reconfig_data_format.h"
