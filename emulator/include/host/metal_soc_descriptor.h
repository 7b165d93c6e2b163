// Of the runtime's inside, by its bare name.
#pragma once
#include <llrt/metal_soc_descriptor.hpp>
