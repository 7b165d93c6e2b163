#pragma once
#include <llrt/tt_memory.h>
