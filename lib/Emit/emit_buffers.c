/*===- emit_buffers.c - the tensors of a host program on the device -----------------------------===
 *
 *   auto A = make_buffer(64, 2048, BufferType::DRAM);
 *   auto C = make_sharded_buffer({8, 8}, {2, 4}, 2048, BufferType::L1, CoreRangeSet(…), …);
 *
 * Sizes are in tiles, which are pages.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Analysis/shards.h"

static void emit_interleaved(TtHost *h) {
  tt_text_printf(
      h->out,
      "    const auto make_buffer = [&](uint32_t tiles, uint32_t tile_bytes, BufferType type) {\n"
      "        const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes, "
      ".buffer_type = type};\n"
      "        const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{tiles} * "
      "tile_bytes};\n"
      "        return distributed::MeshBuffer::create(replicated, local, device.get());\n"
      "    };\n");
}

static void emit_sharded(TtHost *h) {
  tt_text_printf(
      h->out,
      "    // Shards of so many tiles, row by row, one on each core (or DRAM bank).\n"
      "    const auto make_sharded_buffer = [&](std::array<uint32_t, 2> tiles, "
      "std::array<uint32_t, 2> shard,\n"
      "                                         uint32_t tile_bytes, BufferType type, "
      "TensorMemoryLayout layout,\n"
      "                                         const std::vector<CoreRange>& places) {\n"
      "        // Accessors read the distribution, circular buffers on shards the specification.\n"
      "        const BufferDistributionSpec distribution(Shape(tiles), Shape(shard), "
      "CoreRangeSet(places),\n"
      "                                                  ShardOrientation::ROW_MAJOR);\n"
      "        const ShardSpecBuffer spec(CoreRangeSet(places), {shard[0] * 32, shard[1] * 32},\n"
      "                                   ShardOrientation::ROW_MAJOR, {32, 32}, tiles);\n"
      "        const distributed::DeviceLocalBufferConfig local{\n"
      "            .page_size = tile_bytes,\n"
      "            .buffer_type = type,\n"
      "            .sharding_args = BufferShardingArgs(distribution, spec, layout)};\n"
      "        const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{tiles[0]} * "
      "tiles[1] * tile_bytes};\n"
      "        return distributed::MeshBuffer::create(replicated, local, device.get());\n"
      "    };\n");
}

static void emit_places(TtHost *h, int64_t places, int64_t width) {
  int64_t rows = places / width, rest = places % width;
  tt_text_printf(h->out, "{");
  if (rows > 0)
    tt_text_printf(h->out, "CoreRange(CoreCoord(0, 0), CoreCoord(%jd, %jd))", (intmax_t)width - 1,
                   (intmax_t)rows - 1);
  if (rest > 0)
    tt_text_printf(h->out, "%sCoreRange(CoreCoord(0, %jd), CoreCoord(%jd, %jd))",
                   rows > 0 ? ", " : "", (intmax_t)rows, (intmax_t)rest - 1, (intmax_t)rows);
  tt_text_printf(h->out, "}");
}

/* The shards of a tensor of dynamic size are as many as the kernel takes them to be. */
static void emit_shard_check(TtHost *h, intptr_t i, TtShards s) {
  TtSides sides = tt_host_sides(h, &h->tensors.data[i]);
  tt_text_printf(h->out,
                 "    if ((%s + %jd - 1) / %jd != %jd || (%s + %jd - 1) / %jd != %jd) {\n"
                 "        std::fprintf(stderr, \"%s does not fill %jd x %jd shards of %jd x %jd "
                 "elements\\n\");\n"
                 "        return 1;\n"
                 "    }\n",
                 sides.tile_rows, (intmax_t)s.shard_rows, (intmax_t)s.shard_rows,
                 (intmax_t)s.grid_rows, sides.tile_cols, (intmax_t)s.shard_cols,
                 (intmax_t)s.shard_cols, (intmax_t)s.grid_cols, h->buffers[i],
                 (intmax_t)s.grid_rows, (intmax_t)s.grid_cols, (intmax_t)(s.shard_rows * TT_TILE),
                 (intmax_t)(s.shard_cols * TT_TILE));
}

void tt_emit_buffer(TtHost *h, intptr_t i) {
  const TtTensor *t = &h->tensors.data[i];
  TtMemory memory = tt_buffer_attr_memory(t->buffer);
  intmax_t bytes = tt_format(tt_stored_type(t))->tile_bytes;
  if (tt_is_row_major(t->buffer)) { /* as many bytes as its tiles would have, a page a row */
    intmax_t page = tt_page_bytes(t->buffer, t->type), across = page * TT_TILE / bytes;
    tt_text_printf(
        h->out, "    auto %s = make_buffer(%s / %jd * 32, %jd, BufferType::%s); // rows\n",
        h->buffers[i], tt_host_sides(h, t).tiles, across, page, tt_memory_str((int)memory));
    return;
  }
  if (!tt_is_sharded(t->buffer)) {
    tt_text_printf(h->out, "    auto %s = make_buffer(%s, %jd, BufferType::%s);\n", h->buffers[i],
                   tt_host_sides(h, t).tiles, bytes, tt_memory_str((int)memory));
    return;
  }
  TtShards s = tt_shards_of(t->buffer, t->type);
  if (tt_is_dynamic(t)) emit_shard_check(h, i, s);
  TtSides sides = tt_host_sides(h, t);
  const char *layout = s.grid_cols == 1 ? "HEIGHT" : s.grid_rows == 1 ? "WIDTH" : "BLOCK";
  int64_t shards = s.grid_rows * s.grid_cols;
  tt_text_printf(h->out,
                 "    auto %s = make_sharded_buffer({%s, %s}, {%jd, %jd}, %jd, BufferType::%s,\n"
                 "                                 TensorMemoryLayout::%s_SHARDED, ",
                 h->buffers[i], sides.tile_rows, sides.tile_cols, (intmax_t)s.shard_rows,
                 (intmax_t)s.shard_cols, bytes, tt_memory_str((int)memory), layout);
  emit_places(h, shards,
              memory == TT_MEMORY_L1 ? tt_shard_core_columns(s, tt_target_of(h->program)) : shards);
  tt_text_printf(h->out, ");\n");
}

/* A function that runs a program takes all of its tensors, also those of which nobody reads. */
static bool is_needed(const TtHost *h, const TtTensor *t) {
  return t->read || t->written || (h->is_function && !t->scalar && !mlirAttributeIsNull(t->buffer));
}

void tt_emit_buffers(TtHost *h) {
  bool sharded = false, interleaved = false;
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!is_needed(h, t)) continue;
    *(tt_is_sharded(t->buffer) ? &sharded : &interleaved) = true;
  }
  tt_text_printf(h->out, "    // Tensors: pages are tiles.\n");
  if (interleaved) emit_interleaved(h);
  if (sharded) emit_sharded(h);
  for (intptr_t i = 0; i < h->num_args; ++i)
    if (is_needed(h, &h->tensors.data[i])) tt_emit_buffer(h, i);
}
