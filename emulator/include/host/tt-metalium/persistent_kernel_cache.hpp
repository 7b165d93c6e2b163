// Kernels that were compiled are kept in any case.
#pragma once

namespace tt::tt_metal::detail {
inline void EnablePersistentKernelCache() {}
inline void DisablePersistentKernelCache() {}
} // namespace tt::tt_metal::detail
