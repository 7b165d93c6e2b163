/*===- noc.h - addresses of the NoC, as transfers take them -----------------------------------===*/

#ifndef TTEMU_NOC_H
#define TTEMU_NOC_H

#include "emu.h"

/* The other end of a transfer: a place in a DRAM bank, or in the L1 of some cores. */
typedef struct Remote {
  bool dram, stream; /* stream: a register of one, behind the L1 */
  uint32_t bank, x0, y0, x1, y1;
  uint32_t address;
} Remote;

/* What `noc` stands for. Bits 0-31: address; DRAM: bit 63 and the bank; cores: x and y of two
 * corners. An error of `risc` where `bytes` from there on belong to nothing; what is the firmware's
 * in L1 is for the caller to judge. */
Remote emu_resolve(Risc *risc, uint64_t noc, uint32_t bytes);
/* Both ends of a transfer lie where somebody has asked for L1. */
void emu_check_ends(Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes, bool read);

/* A read from the firmware's part of L1 is told, and true; a write to it is true where it changes
 * nothing, and an error else; words and increments always are one (firmware.c). */
bool emu_firmware_read(Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes);
bool emu_firmware_written(Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes);
void emu_firmware_error(Risc *risc, const Remote *r, uint32_t bytes) __attribute__((noreturn));

/* Whether it names a node of the chip that is neither a worker core nor DRAM, by the node's own
 * coordinates. */
bool emu_is_other_node(uint64_t noc);
/* The bank of DRAM whose node is named, or -1; of an address by bank as well. */
int emu_bank_of_node(uint64_t noc);

/* What the kernel has said of the next transfer or barrier, or its own NoC. */
int emu_chosen_noc(const Risc *risc);
/* Whether it is a register of a stream; where it lies. A write to the one that counts is an
 * increment, whose place and amount it becomes; with the one that starts it, another one is set, or
 * 0 (stream_registers.c). */
bool emu_is_stream(uint32_t address);
uint32_t emu_stream_place(Risc *risc, uint32_t address);
bool emu_stream_counts(uint32_t *at, uint32_t *value);
uint32_t emu_stream_also(uint32_t at);
/* What format the numbers have that a transfer moves (tensor_formats.c). */
void emu_format_read(Risc *risc, const Remote *r, uint32_t l1);
void emu_format_written(const Risc *risc, const Remote *r, uint32_t l1);
/* The command buffers of the vendor's firmware. */
enum { WRITE_BUFFER, READ_BUFFER, SIGNAL_BUFFER, WORD_BUFFER };
/* A transfer leaves node and size in the registers of its command buffer. */
void emu_note_transfer(Risc *risc, uint32_t buffer, uint64_t at, uint32_t bytes);

#endif
