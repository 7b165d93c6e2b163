// Registers of the NoC's streams, which kernels use as words and counters (stream_registers.c).
#pragma once

#include <cstdint>

#include "ttemu/kernel.hpp"

#define NOC_NUM_STREAMS 64
#define NOC_OVERLAY_START_ADDR 0xFFB40000
#define NOC_STREAM_REG_SPACE_SIZE 0x1000
#define STREAM_REG_ADDR(stream, number)                                                            \
  (uint32_t{NOC_OVERLAY_START_ADDR} + uint32_t(stream) * NOC_STREAM_REG_SPACE_SIZE +               \
   (uint32_t(number) << 2))

#define MEM_WORD_ADDR_WIDTH 17
#define REMOTE_DEST_WORDS_FREE_WIDTH MEM_WORD_ADDR_WIDTH
#define REMOTE_DEST_BUF_WORDS_FREE_INC 6
#ifdef ARCH_BLACKHOLE
#define STREAM_REMOTE_DEST_BUF_START_REG_INDEX 8
#define STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX 10
#define STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX 270
#define STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX 297
#else
#define STREAM_REMOTE_DEST_BUF_START_REG_INDEX 3
#define STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX 4
#define STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX 34
#define STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX 64
#endif

#define NOC_STREAM_READ_REG(stream, number)                                                        \
  ttemu_stream_read(uint32_t(stream), uint32_t(number), __builtin_LINE())
#define NOC_STREAM_WRITE_REG(stream, number, value)                                                \
  ttemu_stream_write(uint32_t(stream), uint32_t(number), uint32_t(value), __builtin_LINE())
