// Where the vendor's tree has it.
#pragma once
#include "ttemu/tracy.hpp"
