// Sends words to the three processors of the engine, more than their mailboxes hold.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

template <uint32_t tTurns> void send(uint32_t from) {
#pragma GCC unroll tTurns
  for (uint32_t i = 0; i < tTurns; ++i)
    for (auto to : {ckernel::UnpackThreadId, ckernel::MathThreadId, ckernel::PackThreadId})
      ckernel::mailbox_write(to, from + 10 * i + to);
}

void kernel_main() {
  send<3>(get_arg_val<uint32_t>(2));
  ASSERT(ckernel::mailbox_read(ckernel::PackThreadId) == 42);
}
