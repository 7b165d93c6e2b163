// Of the runtime's inside.
#pragma once
#include <impl/context/metal_context.hpp>
#include <llrt/llrt.hpp>
