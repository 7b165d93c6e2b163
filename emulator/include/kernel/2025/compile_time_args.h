#pragma once

#include "ttemu/api/compile_time_args.h"
