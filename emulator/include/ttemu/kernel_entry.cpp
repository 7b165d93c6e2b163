// A kernel as the device compiles it: its file, TTEMU_KERNEL, and where it starts.

// Headers of compute kernels may define in the namespace that their kernel comes to be in.
#ifdef TTEMU_COMPUTE
#define NAMESPACE ttemu_kernel
namespace NAMESPACE {}
using namespace NAMESPACE;
#endif
// void MAIN in namespace NAMESPACE: a function of the processor's, which a kernel may also write
// out for each of them, by its name.
#ifdef TTEMU_OLD_ENTRY
#ifndef TTEMU_ROLE
#define TTEMU_MAIN kernel_main
#elif TTEMU_ROLE == 2
#define TTEMU_MAIN unpack_main
#elif TTEMU_ROLE == 3
#define TTEMU_MAIN math_main
#else
#define TTEMU_MAIN pack_main
#endif
#define MAIN TTEMU_MAIN()
#endif

#include "ttemu/implicit.h"

#include TTEMU_KERNEL

#if defined(TTEMU_DEPRECATED) && TTEMU_API >= 202608 // which the device tells
extern "C" const char ttemu_deprecated = 1;
#endif

#ifdef TTEMU_OLD_ENTRY
extern "C" void ttemu_entry() { ttemu_kernel::TTEMU_MAIN(); }
#else
extern "C" void ttemu_entry() { kernel_main(); }
#endif

// The bounds of its variables, as the linker knows them.
extern "C" __attribute__((visibility("hidden"))) char __dso_handle, _end;
extern "C" char *ttemu_data_start() { return &__dso_handle; }
extern "C" char *ttemu_data_end() { return &_end; }
