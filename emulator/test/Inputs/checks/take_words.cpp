// Each processor takes its words, in order; pack answers.
#include <cstdint>

#include "api/compute/common.h"

void kernel_main() {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    UNPACK(word = mailbox_read(ckernel::ThreadId::BriscThreadId) - UnpackThreadId);
    MATH(word = mailbox_read(ckernel::ThreadId::BriscThreadId) - MathThreadId);
    PACK(word = mailbox_read(ckernel::ThreadId::BriscThreadId) - PackThreadId);
    ASSERT(word == 3 + 10 * i);
  }
  MATH(mailbox_write(ckernel::ThreadId::PackThreadId, 42));
  PACK(mailbox_write(ckernel::ThreadId::BriscThreadId, mailbox_read(ckernel::MathThreadId)));
}
