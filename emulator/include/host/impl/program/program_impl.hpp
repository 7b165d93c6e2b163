// Of the runtime's inside: what there is of a program is in its class.
#pragma once
#include <impl/buffers/semaphore.hpp>
#include <tt-metalium/host_api.hpp>
