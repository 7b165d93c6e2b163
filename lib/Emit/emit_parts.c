/*===- emit_parts.c - functions of a kernel that move parts of tiles ---------------------------===
 *
 * A tile is four faces of 16 x 16 elements, so that elements side by side lie side by side for 16
 * at most: a run.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emitter.h"

static const char place[] =
    "// Where an element of a block of tiles is, `width` tiles wide.\n"
    "inline uint32_t element_at(uint32_t row, uint32_t col, uint32_t width) {\n"
    "    const uint32_t tile = row / 32 * width + col / 32, face = row / 16 % 2 * 2 + col / 16 % "
    "2;\n"
    "    return tile * 1024 + face * 256 + row % 16 * 16 + col % 16;\n"
    "}\n\n"
    "// Elements from here on that lie side by side.\n"
    "inline uint32_t run_from(uint32_t col, uint32_t other_col, uint32_t most) {\n"
    "    const uint32_t run = 16 - (col % 16 > other_col % 16 ? col % 16 : other_col % 16);\n"
    "    return run < most ? run : most;\n"
    "}\n\n";

/* `back` swaps what is read and what is written. */
static const char copy[] =
    "// Copies rows x cols elements of a tile, from (row, col) on, %s a block of tiles: element\n"
    "// (i, j) of them, which are every so many of it, is at (at_row + i * down_i + j * down_j, "
    "at_col + i * right_i + j * "
    "right_j).\n"
    "template <typename T, uint32_t width, uint32_t down_i, uint32_t right_i, uint32_t down_j,\n"
    "          uint32_t right_j, uint32_t every_i = 1, uint32_t every_j = 1>\n"
    "inline void %s(uint32_t tile, uint32_t block, uint32_t row, uint32_t col, uint32_t rows,\n"
    "               uint32_t cols, uint32_t at_row, uint32_t at_col) {\n"
    "    auto* in_tile = reinterpret_cast<volatile tt_l1_ptr T*>(tile);\n"
    "    auto* in_block = reinterpret_cast<volatile tt_l1_ptr T*>(block);\n"
    "    for (uint32_t i = 0; i < rows; ++i) {\n"
    "        const uint32_t r = at_row + i * down_i, c = at_col + i * right_i;\n"
    "        for (uint32_t j = 0, n = 1; j < cols; j += n) {\n"
    "            if constexpr (down_j == 0 && right_j == 1 && every_j == 1) {\n"
    "                n = run_from(col + j, c + j, cols - j);\n"
    "            }\n"
    "            const uint32_t x = element_at(row + i * every_i, col + j * every_j, 1);\n"
    "            const uint32_t y = element_at(r + j * down_j, c + j * right_j, width);\n"
    "            for (uint32_t k = 0; k < n; ++k) {\n"
    "                %s;\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n\n";

static const char read[] =
    "// Reads rows x cols elements of a tile of a tensor, from (row, col) on, to where they are in "
    "a\n"
    "// tile at l1_addr, with what is beside them up to multiples of `unit` bytes.\n"
    "template <typename T, uint32_t unit, typename Tensor>\n"
    "inline void read_part(uint32_t tile, const Tensor& tensor, uint32_t l1_addr, uint32_t row,\n"
    "                      uint32_t col, uint32_t rows, uint32_t cols) {\n"
    "    for (uint32_t r = row, next; r < row + rows; r = next) {\n"
    "        next = (r / 16 + 1) * 16 < row + rows ? (r / 16 + 1) * 16 : row + rows;\n"
    "        for (uint32_t c = col / 16; c <= (col + cols - 1) / 16; ++c) {\n"
    "            const uint32_t first = element_at(r, c * 16, 1) * sizeof(T) / unit * unit;\n"
    "            const uint32_t last = (element_at(next - 1, c * 16 + 15, 1) + 1) * sizeof(T);\n"
    "            noc_async_read(tensor.get_noc_addr(tile, first), l1_addr + first,\n"
    "                           (last - first + unit - 1) / unit * unit);\n"
    "        }\n"
    "    }\n"
    "}\n\n";

static const char read_run[] =
    "// Reads a row of a face of a tensor's tile, from (row, col) on, to (at_row, at_col) of a "
    "tile.\n"
    "template <typename T, typename Tensor>\n"
    "inline void read_run(uint32_t tile, const Tensor& tensor, uint32_t l1_addr, uint32_t row,\n"
    "                     uint32_t col, uint32_t at_row, uint32_t at_col) {\n"
    "    noc_async_read(tensor.get_noc_addr(tile, element_at(row, col, 1) * sizeof(T)),\n"
    "                   l1_addr + element_at(at_row, at_col, 1) * sizeof(T), 16 * sizeof(T));\n"
    "}\n\n";

static const char write[] =
    "// Writes the same elements from a block to a tile of a tensor, run by run.\n"
    "template <typename T, uint32_t width, uint32_t down_i, uint32_t right_i, uint32_t down_j,\n"
    "          uint32_t right_j, typename Tensor>\n"
    "inline void write_part(uint32_t tile, const Tensor& tensor, uint32_t block, uint32_t row,\n"
    "                       uint32_t col, uint32_t rows, uint32_t cols, uint32_t at_row,\n"
    "                       uint32_t at_col) {\n"
    "    static_assert(down_j == 0 && right_j == 1);\n"
    "    for (uint32_t i = 0; i < rows; ++i) {\n"
    "        const uint32_t r = at_row + i * down_i, c = at_col + i * right_i;\n"
    "        for (uint32_t j = 0, n; j < cols; j += n) {\n"
    "            n = run_from(col + j, c + j, cols - j);\n"
    "            const uint32_t to = element_at(row + i, col + j, 1) * sizeof(T);\n"
    "            noc_async_write(block + element_at(r, c + j, width) * sizeof(T),\n"
    "                            tensor.get_noc_addr(tile, to), n * sizeof(T));\n"
    "        }\n"
    "    }\n"
    "}\n\n";

/* The same of a tile that is 32 rows, one after the other. */
static const char copy_rows[] =
    "// Copies rows x cols elements of 32 x 32, row by row, from (row, col) on, to a block of "
    "tiles, "
    "or back.\n"
    "template <typename T, uint32_t width, bool back, uint32_t down_i, uint32_t right_i,\n"
    "          uint32_t down_j, uint32_t right_j, uint32_t every_i = 1, uint32_t every_j = 1>\n"
    "inline void copy_rows(uint32_t lines, uint32_t block, uint32_t row, uint32_t col, uint32_t "
    "rows,\n"
    "                      uint32_t cols, uint32_t at_row, uint32_t at_col) {\n"
    "    auto* in_lines = reinterpret_cast<volatile tt_l1_ptr T*>(lines);\n"
    "    auto* in_block = reinterpret_cast<volatile tt_l1_ptr T*>(block);\n"
    "    for (uint32_t i = 0; i < rows; ++i) {\n"
    "        const uint32_t r = at_row + i * down_i, c = at_col + i * right_i;\n"
    "        for (uint32_t j = 0, n = 1; j < cols; j += n) {\n"
    "            if constexpr (down_j == 0 && right_j == 1 && every_j == 1) {\n"
    "                n = run_from(c + j, c + j, cols - j);\n"
    "            }\n"
    "            const uint32_t x = (row + i * every_i) * 32 + col + j * every_j;\n"
    "            const uint32_t y = element_at(r + j * down_j, c + j * right_j, width);\n"
    "            for (uint32_t k = 0; k < n; ++k) {\n"
    "                if constexpr (back) {\n"
    "                    in_lines[x + k] = in_block[y + k];\n"
    "                } else {\n"
    "                    in_block[y + k] = in_lines[x + k];\n"
    "                }\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n\n";

static const char read_rows[] =
    "// Reads rows of what would be a tile of a tensor that is stored row by row, a page each.\n"
    "template <uint32_t bytes, typename Tensor>\n"
    "inline void read_rows(uint32_t tile, const Tensor& tensor, uint32_t l1_addr, uint32_t "
    "across,\n"
    "                      uint32_t row, uint32_t rows) {\n"
    "    for (uint32_t r = row; r < row + rows; ++r) {\n"
    "        noc_async_read(tensor.get_noc_addr(tile / across * 32 + r, tile % across * bytes),\n"
    "                       l1_addr + r * bytes, bytes);\n"
    "    }\n"
    "}\n\n";

static const char write_rows[] =
    "// Writes rows of what would be a tile of a tensor that is stored row by row, a page each.\n"
    "template <uint32_t bytes, typename Tensor>\n"
    "inline void write_rows(uint32_t tile, const Tensor& tensor, uint32_t l1_addr, uint32_t "
    "across,\n"
    "                       uint32_t row, uint32_t rows) {\n"
    "    for (uint32_t r = row; r < row + rows; ++r) {\n"
    "        noc_async_write(l1_addr + r * bytes,\n"
    "                        tensor.get_noc_addr(tile / across * 32 + r, tile % across * bytes), "
    "bytes);\n"
    "    }\n"
    "}\n\n";

static bool has(TtEmitter *e, const char *op) { return tt_collect(e->arena, e->func, op).n > 0; }

void tt_emit_part_helpers(TtEmitter *e) {
  TtOps copies = tt_collect(e->arena, e->func, "metalium.copy_part");
  bool to = false, back = false, flat = false, reads = has(e, "metalium.noc_async_read_part"),
       writes = has(e, "metalium.noc_async_write_part"),
       runs = has(e, "metalium.noc_async_read_run");
  for (intptr_t i = 0; i < copies.n; ++i) {
    bool turned = !mlirAttributeIsNull(metalium_copy_part_back(copies.data[i])),
         in_rows = !mlirAttributeIsNull(metalium_copy_part_flat(copies.data[i]));
    back |= turned && !in_rows, to |= !turned && !in_rows, flat |= in_rows;
  }
  if (has(e, "metalium.noc_async_read_rows")) tt_text_printf(e->out, "%s", read_rows);
  if (has(e, "metalium.noc_async_write_rows")) tt_text_printf(e->out, "%s", write_rows);
  if (to || back || flat || reads || writes || runs) tt_text_printf(e->out, "%s", place);
  if (flat) tt_text_printf(e->out, "%s", copy_rows);
  if (reads) tt_text_printf(e->out, "%s", read);
  if (runs) tt_text_printf(e->out, "%s", read_run);
  if (to) tt_text_printf(e->out, copy, "to", "copy_part", "in_block[y + k] = in_tile[x + k]");
  if (back)
    tt_text_printf(e->out, copy, "from", "copy_part_back", "in_tile[x + k] = in_block[y + k]");
  if (writes) tt_text_printf(e->out, "%s", write);
}
