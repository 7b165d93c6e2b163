// Sizes of tiles and faces, as host programs have them.
#pragma once
#include "../../../host/tt-metalium/constants.hpp"
