/*===- scalar_unit.c - what instructions of the scalar unit do to L1 ---------------------------===
 *
 * The registers and the copies are in emulator/include/ttemu/api/scalar_unit.h. The unit leaves
 * out the low bits of an address that is no multiple of what it moves.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

enum { SCALAR_CLK = 3 }; /* the unit is busy at least so long with each */

uint32_t ttemu_scalar_address(uint32_t address, uint32_t bytes, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (address >= emu.chip->l1_size)
    emu_error(risc, 17, "the scalar unit uses address 0x%x, which is outside of L1", address);
  if (address % bytes)
    emu_forgiven(risc, 17,
                 "the scalar unit moves %u bytes at 0x%x, where it is told 0x%x: the low bits of "
                 "an address are left out",
                 bytes, address - address % bytes, address);
  emu_charge(risc, SCALAR_CLK);
  return address - address % bytes;
}
