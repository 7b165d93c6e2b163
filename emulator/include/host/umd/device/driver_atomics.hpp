// Of the driver: what orders the host's stores before others.
#pragma once
#include <atomic>

#include <umd/device/cluster_descriptor.hpp>

namespace tt_driver_atomics {
inline void mfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void sfence() { std::atomic_thread_fence(std::memory_order_release); }
inline void lfence() { std::atomic_thread_fence(std::memory_order_acquire); }
} // namespace tt_driver_atomics
