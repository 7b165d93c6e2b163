/* Layouts of tensors that several kernels share (host_layouts.c). */
#ifndef TILEWRIGHT_HOST_LAYOUTS_H
#define TILEWRIGHT_HOST_LAYOUTS_H

#include "tilewright/builder.h"

/* Gives each tensor of the module's host functions one tt.layout everywhere. False after an
 * error. */
bool tt_share_host_layouts(MlirOperation module);

#endif
