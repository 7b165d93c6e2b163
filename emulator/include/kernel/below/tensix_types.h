#pragma once

#include "ttemu/kernel.hpp"
