// Of the driver.
#pragma once
#include <umd/device/cluster_descriptor.hpp>
