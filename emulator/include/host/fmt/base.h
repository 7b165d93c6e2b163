// As newer versions of fmt call it.
#pragma once
#include <fmt/core.h>
