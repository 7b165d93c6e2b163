// A block from one core of a line to the others.
#pragma once
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

// The line along a row or a column; `sender` and `receivers` count from its first core.
struct Line {
    bool row;
    uint32_t x0, y0, x, y, side;  // NoC coordinates of the first core, this core, cores of a line
    uint32_t ready, valid;        // semaphores: at the sender, those with room; the block is there

    uint64_t of(uint32_t i, uint32_t l1) const {
        return row ? get_noc_addr(x0 + i, y0 + y, l1) : get_noc_addr(x0 + x, y0 + i, l1);
    }
    uint64_t of_all(uint32_t first, uint32_t last, uint32_t l1) const {
        const uint32_t ax = x0 + (row ? first : x), ay = y0 + (row ? y : first);
        const uint32_t bx = x0 + (row ? last : x), by = y0 + (row ? y : last);
        return noc_index == 0 ? get_noc_multicast_addr(ax, ay, bx, by, l1)
                              : get_noc_multicast_addr(bx, by, ax, ay, l1);
    }
    void wait_for_room() const {
        auto* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
        noc_semaphore_wait(word, side - 1);
        noc_semaphore_set(word, 0);
    }
    void raise(uint64_t to) const {
        auto* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(valid);
        noc_async_writes_flushed();
        noc_semaphore_set(word, 1);
        noc_semaphore_set_multicast(valid, to, side - 1);
        noc_async_writes_flushed();
    }
    void receive(uint32_t sender) const {
        auto* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(valid);
        noc_semaphore_set(word, 0);
        noc_semaphore_inc(of(sender, ready), 1);
        noc_semaphore_wait(word, 1);
    }
};
