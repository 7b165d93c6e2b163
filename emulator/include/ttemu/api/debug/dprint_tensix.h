#pragma once

#include "ttemu/api/debug/dprint_pages.h"
