#pragma once

#include "ttemu/api/debug/dprint.h"
