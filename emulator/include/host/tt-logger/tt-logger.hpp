// What host programs log.
#pragma once
#include <tt-metalium/logger.hpp>
