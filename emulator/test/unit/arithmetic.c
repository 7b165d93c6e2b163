/* Tile results of the emulated engine against vectors from the vendor's chip
 * simulator, bit for bit. golden.txt lists the cases; golden.bin holds their tiles,
 * row-major bits of each input, then of the output. */

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
  char name[128], op[24];
  int phases, wide, in, out, tiles;
  long offset;
} Case;

static DstMode mode_of(const Case *c) {
  return (DstMode){.wide = c->wide != 0, .five = c->in == TTEMU_FLOAT16, .wormhole = true};
}

static int bytes_of(int format) { return format == TTEMU_FLOAT32 ? 4 : 2; }

static int tile_bytes(int format) {
  return format == TTEMU_BFP8_B ? 1088 : TILE * bytes_of(format);
}

/* Row-major bits to the face order of L1; block formats are in it already. */
static void to_faces(const uint8_t *flat, int format, uint8_t *tile) {
  int bytes = bytes_of(format);
  if (format == TTEMU_BFP8_B) {
    memcpy(tile, flat, 1088);
    return;
  }
  for (int i = 0; i < TILE; ++i) {
    int row = i / 32, col = i % 32;
    int at = (row / 16 * 2 + col / 16) * 256 + row % 16 * 16 + col % 16;
    memcpy(tile + at * bytes, flat + i * bytes, (size_t)bytes);
  }
}

static ttemu_bcast bcast_of(const char *suffix) {
  return strcmp(suffix, "_row") == 0   ? TTEMU_BCAST_ROW
         : strcmp(suffix, "_col") == 0 ? TTEMU_BCAST_COL
                                       : TTEMU_BCAST_SCALAR;
}

/* reduce_<pool>_<dim> */
static ttemu_pool pool_of(const char *op) {
  return op[7] == 's' ? TTEMU_POOL_SUM : op[7] == 'a' ? TTEMU_POOL_AVG : TTEMU_POOL_MAX;
}

static ttemu_reduce_dim dim_of(const char *op) {
  return op[11] == 'r' ? TTEMU_REDUCE_ROW : op[11] == 'c' ? TTEMU_REDUCE_COL : TTEMU_REDUCE_SCALAR;
}

static void compute(const Case *c, const uint8_t *in0, const uint8_t *in1, uint32_t *dst) {
  static Source a, b;
  static uint8_t tile[4096];
  DstMode mode = mode_of(c);
  for (int t = 0; t < c->tiles; ++t) {
    to_faces(in0 + t * tile_bytes(c->in), c->in, tile);
    if (strcmp(c->op, "copy") == 0 || strcmp(c->op, "transpose") == 0) {
      emu_copy(tile, (ttemu_format)c->in, mode, dst);
      if (c->op[0] == 't') emu_transpose_bits(dst);
      continue;
    }
    emu_unpack(tile, (ttemu_format)c->in, mode, &a);
    bool reduce = strncmp(c->op, "reduce_", 7) == 0; /* one scaler for all tiles */
    to_faces(in1 + (reduce ? 0 : t) * tile_bytes(c->in), c->in, tile);
    emu_unpack(tile, (ttemu_format)c->in, mode, &b);
    if (reduce) {
      emu_reduce(pool_of(c->op), dim_of(c->op), &a, &b, c->phases, mode, c->in == TTEMU_FLOAT32,
                 t == 0, 4, dst);
      continue;
    }
    if (strcmp(c->op, "matmul_t") == 0) emu_transpose(&b);
    const char *bcast = strchr(c->op, '_');
    if (bcast && strcmp(c->op, "matmul_t") != 0) emu_broadcast(bcast_of(bcast), 0, &b);
    if (strncmp(c->op, "matmul", 6) == 0) emu_matmul(&a, &b, c->phases, mode, dst);
    else
      emu_binary(c->op[0] == 'a'   ? TTEMU_ADD
                 : c->op[0] == 's' ? TTEMU_SUB
                                   : TTEMU_MUL,
                 &a, &b, c->phases, mode, strcmp(c->op, "addonto") == 0, dst);
  }
}

/* Packs each tile onto the first. */
static void pack_all(const Case *c, const uint8_t *in, uint8_t *packed) {
  static uint32_t dst[TILE];
  static uint8_t tile[4096];
  DstMode mode = mode_of(c);
  for (int t = 0; t < c->tiles; ++t) {
    to_faces(in + t * tile_bytes(c->in), c->in, tile);
    memset(dst, 0, sizeof dst);
    emu_copy(tile, (ttemu_format)c->in, mode, dst);
    if (t == 0) emu_pack(dst, mode, (ttemu_format)c->out, packed);
    else emu_pack_onto(dst, mode, (ttemu_format)c->out, packed);
  }
}

/* reuse_<op>_<source>: DST = in0 + in1, then DST = op of DST and in2. */
static void reuse_dst(const Case *c, const uint8_t *in, uint32_t *dst) {
  static Source x[3], moved;
  static uint8_t tile[4096];
  DstMode mode = mode_of(c);
  for (int i = 0; i < 3; ++i) {
    to_faces(in + i * tile_bytes(c->in), c->in, tile);
    emu_unpack(tile, (ttemu_format)c->in, mode, &x[i]);
  }
  emu_binary(TTEMU_ADD, &x[0], &x[1], c->phases, mode, false, dst);
  emu_source_of_dst(dst, mode, &moved);
  memset(dst, 0, sizeof(uint32_t[TILE]));
  bool a = c->op[10] == 'a';
  emu_binary(c->op[6] == 'a'   ? TTEMU_ADD
             : c->op[6] == 's' ? TTEMU_SUB
                               : TTEMU_MUL,
             a ? &moved : &x[2], a ? &x[2] : &moved, c->phases, mode, false, dst);
}

/* reload_<op>: DST = in2, which has the format of the output, then op of in0 and in1 on it. */
static void reload(const Case *c, const uint8_t *in, uint32_t *dst) {
  static Source a, b;
  static uint8_t tile[4096];
  DstMode mode = mode_of(c);
  to_faces(in + 2 * tile_bytes(c->in), c->out, tile);
  emu_copy(tile, (ttemu_format)c->out, mode, dst);
  to_faces(in, c->in, tile), emu_unpack(tile, (ttemu_format)c->in, mode, &a);
  to_faces(in + tile_bytes(c->in), c->in, tile), emu_unpack(tile, (ttemu_format)c->in, mode, &b);
  if (strcmp(c->op, "reload_matmul") == 0) emu_matmul(&a, &b, c->phases, mode, dst);
  else emu_binary(TTEMU_MUL, &a, &b, c->phases, mode, false, dst);
}

/* Products of random tiles, with exponents of all sizes, zeros and small sums: how many elements
 * differ between a way of this host and the portable one. */
static int differences_of_way(EmuMatmul *matmul) {
  static Source a, b;
  static uint32_t one[TILE], other[TILE];
  uint32_t state = 1, n = 0;
  for (int round = 0; round < 256; ++round) {
    Source *const sources[] = {&a, &b};
    for (int i = 0; i < 2 * TILE; ++i) {
      state = state * 1664525u + 1013904223u;
      Source *s = sources[i / TILE];
      uint32_t spread = round % 4 == 0 ? 256 : round % 4 == 1 ? 40 : round % 4 == 2 ? 16 : 2;
      int exp = (int)((state >> 24) % spread + (256 - spread) / 2);
      int sig = (state & 7) == 0 ? 0 : (int)(1024 | (state >> 8 & 1023));
      if (round & 16) sig &= ~7; /* as bf16 has it */
      if (exp == 0 || sig == 0) exp = sig = 0;
      s->exp[i % TILE] = (uint8_t)exp;
      s->sig[i % TILE] = (int16_t)(state & 8 ? -sig : sig);
      if (i < TILE) one[i] = other[i] = round & 32 ? state & 0xff800000u : 0;
    }
    DstMode mode = {.wide = round & 4, .five = round & 8, .wormhole = round & 64};
    for (int step = 0; step < 3; ++step) {
      matmul(&a, &b, 1 + round / 8 % 4, mode, one);
      emu_matmul_portable(&a, &b, 1 + round / 8 % 4, mode, other);
    }
    for (int i = 0; i < TILE; ++i) n += one[i] != other[i];
  }
  return (int)n;
}

/* 2x2 tiles of output, K of two: the tiles of a matmul_block. */
static int differences_of_block(const Case *c, const uint8_t *data) {
  static Source a, b;
  static uint32_t dst[TILE];
  static uint8_t tile[4096], packed[4096];
  DstMode mode = mode_of(c);
  int size = tile_bytes(c->in), out_size = tile_bytes(c->out), n = 0;
  for (int i = 0; i < 4; ++i) {
    memset(dst, 0, sizeof dst);
    for (int k = 0; k < 2; ++k) {
      to_faces(data + (i / 2 * 2 + k) * size, c->in, tile);
      emu_unpack(tile, (ttemu_format)c->in, mode, &a);
      to_faces(data + (4 + k * 2 + i % 2) * size, c->in, tile);
      emu_unpack(tile, (ttemu_format)c->in, mode, &b);
      emu_matmul(&a, &b, c->phases, mode, dst);
    }
    emu_pack(dst, mode, (ttemu_format)c->out, packed);
    to_faces(data + 8 * size + i * out_size, c->out, tile);
    n += memcmp(packed, tile, (size_t)out_size) != 0;
  }
  return n;
}

static int differences(const Case *c, const uint8_t *data) {
  static uint32_t dst[TILE];
  static uint8_t packed[4096], expected[4096];
  int in = tile_bytes(c->in) * c->tiles,
      copy = strcmp(c->op, "copy") == 0 || strcmp(c->op, "transpose") == 0;
  const uint8_t *in0 = data + c->offset, *in1 = in0 + in,
                *out =
                    copy ? in1 : in1 + (strncmp(c->op, "reduce_", 7) == 0 ? tile_bytes(c->in) : in);
  int bytes = bytes_of(c->out), n = 0;
  memset(dst, 0, sizeof dst);
  bool onto = strcmp(c->op, "l1acc") == 0, reuse = strncmp(c->op, "reuse_", 6) == 0;
  if (strcmp(c->op, "block") == 0) return differences_of_block(c, in0);
  if (onto) out = in1;
  bool reloads = strncmp(c->op, "reload_", 7) == 0;
  if (reloads) out = in0 + 2 * tile_bytes(c->in) + tile_bytes(c->out), reload(c, in0, dst);
  if (reuse) out = in0 + 3 * tile_bytes(c->in), reuse_dst(c, in0, dst);
  else if (!onto && !reloads) compute(c, in0, in1, dst);
  if (strncmp(c->op, "reduce_", 7) == 0) emu_mask_reduced(dim_of(c->op), dst);
  if (onto) pack_all(c, in0, packed);
  else emu_pack(dst, mode_of(c), (ttemu_format)c->out, packed);
  if (c->out == TTEMU_BFP8_B) return memcmp(packed, out, 1088) != 0;
  to_faces(out, c->out, expected);
  for (int i = 0; i < TILE; ++i)
    n += memcmp(packed + i * bytes, expected + i * bytes, (size_t)bytes) != 0;
  return n;
}

int main(int argc, char **argv) {
  char path[1024], line[512];
  if (argc != 2) return fprintf(stderr, "usage: %s FOLDER\n", argv[0]), 2;
  snprintf(path, sizeof path, "%s/golden.bin", argv[1]);
  FILE *bin = fopen(path, "rb");
  snprintf(path, sizeof path, "%s/golden.txt", argv[1]);
  FILE *list = fopen(path, "r");
  if (!bin || !list) return fprintf(stderr, "%s: no golden vectors\n", argv[1]), 2;
  fseek(bin, 0, SEEK_END);
  size_t size = (size_t)ftell(bin);
  rewind(bin);
  uint8_t *data = malloc(size);
  if (!data || fread(data, 1, size, bin) != size) return 2;
  int cases = 0, wrong = 0;
  while (fgets(line, sizeof line, list)) {
    Case c;
    if (line[0] == '#') continue;
    if (sscanf(line, "%127s %23s %d %d %d %d %d %ld", c.name, c.op, &c.phases, &c.wide, &c.in,
               &c.out, &c.tiles, &c.offset) != 8)
      return fprintf(stderr, "bad line: %s", line), 2;
    int n = differences(&c, data);
    if (n) printf("%s: %d elements differ\n", c.name, n), ++wrong;
    ++cases;
  }
  printf("%d of %d cases equal the chip's bits\n", cases - wrong, cases);
  int apart = 0;
  for (int way = 0; way < EMU_WAY_PORTABLE; ++way) {
    EmuMatmul *matmul = emu_matmul_way((EmuWay)way);
    apart += matmul ? differences_of_way(matmul) : 0;
  }
  printf("%d elements differ between hosts\n", apart);
  free(data), fclose(bin), fclose(list);
  return wrong != 0 || apart != 0;
}
