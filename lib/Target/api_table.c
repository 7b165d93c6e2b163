/*===- api_table.c - the kernel API, era by era ------------------------------------------------===
 *
 * Columns: 2025, 2026-03, 2026-08; an era without an own entry has that of the one before. What
 * changed between them: the startup became one function, called once (compute_kernel_hw_startup),
 * inits lost the word `tiles`, and transfers speak of pages.
 *
 *===----------------------------------------------------------------------===*/

#include "Target/api_table.h"

#include <string.h>

#define SAME(call) {call}
#define NO_HEADER {NULL}
#define NEVER {false}
#define OLDER {true, true}
#define ABSENT tt_api_absent

const char tt_api_absent[] = "";

/* clang-format off */
#define CB(name) {"metalium." name, NULL, SAME(name "($0, $1);"), NO_HEADER, NEVER}
#define PLAIN(op, call) {op, NULL, SAME(call "();"), NO_HEADER, NEVER}
#define MOVE(name, arguments) {"metalium." name, NULL, SAME(name arguments), NO_HEADER, NEVER}
#define VALUE(name, arguments) MOVE(name, arguments)
#define MM_BLOCK(variant, transpose)                                                          \
  {"metalium.matmul_block_init", variant,                                                     \
   {"mm_block_init_short($0, $1, " transpose ", $b);",                                        \
    "mm_block_init_short($0, $1, " transpose ", $b);",                                        \
    "matmul_block_init($0, $1, " transpose ", $b);"}, SAME("matmul.h"), NEVER},               \
  {"metalium.matmul_block", variant, SAME("matmul_block($0, $1, $2, $3, $4, " transpose ", $b);"), \
   SAME("matmul.h"), NEVER}
#define BINARY(name)                                                                          \
  {"metalium." name "_tiles", NULL, SAME(name "_tiles($0, $1, $2, $3, $4);"),                 \
   SAME("eltwise_binary.h"), NEVER}
#define BINARY_INIT(name)                                                                     \
  {"tt.fpu.binary_init", name,                                                                \
   {name "_tiles_init($0, $1);", name "_tiles_init($0, $1);", name "_init($0, $1);"},         \
   SAME("eltwise_binary.h"), NEVER}
/* Onto what is in DST. */
#define BINARY_ONTO(name)                                                                     \
  {"metalium." name "_tiles_onto", NULL, SAME(name "_tiles($0, $1, $2, $3, $4);"),            \
   SAME("eltwise_binary.h"), NEVER},                                                          \
  {"tt.fpu.binary_init", name "_onto",                                                        \
   {name "_tiles_init($0, $1, true);", name "_tiles_init($0, $1, true);",                     \
    name "_init($0, $1, true);"}, SAME("eltwise_binary.h"), NEVER}
/* With the second operand broadcast; `older` is the init of the first two eras. */
#define BCAST(name, shape, older)                                                             \
  {"metalium." name "_tiles_bcast_" shape, NULL,                                              \
   SAME(name "_tiles_bcast_" shape "($0, $1, $2, $3, $4);"), SAME("bcast.h"), NEVER},         \
  {"tt.fpu.binary_init", name "_bcast_" shape,                                                \
   {older "($0, $1);", older "($0, $1);", name "_bcast_" shape "_init($0, $1);"},             \
   SAME("bcast.h"), NEVER}
#define REDUCE(name, pool_and_dim)                                                            \
  {"tt.fpu.reduce_init", name, SAME("reduce_init<" pool_and_dim ">($0, $1, $2);"),            \
   SAME("reduce.h"), NEVER},                                                                  \
  {"metalium.reduce_tile", name, SAME("reduce_tile<" pool_and_dim ">($0, $1, $2, $3, $4);"),  \
   SAME("reduce.h"), NEVER}
/* On what is in DST and a tile, which goes to the source that DST does not take. */
#define REUSE_OLD(form, type, from)                                                           \
  "binary_dest_reuse_tiles" form "<EltwiseBinaryType::" type                                  \
  ", EltwiseBinaryReuseDestType::" from ">"
#define REUSE_NEW(name, form, from)                                                           \
  name "_reuse_dest_" form "<EltwiseBinaryReuseDestType::" from ">"
#define REUSE(op, name, type, from)                                                           \
  {"metalium.binary_dest_reuse_tiles_init", op,                                               \
   {REUSE_OLD("_init", type, from) "($0);", REUSE_OLD("_init", type, from) "($0);",           \
    REUSE_NEW(name, "init", from) "($0);"}, SAME("eltwise_binary.h"), NEVER},                 \
  {"metalium.binary_dest_reuse_tiles", op,                                                    \
   {REUSE_OLD("", type, from) "($0, $1, $2);", REUSE_OLD("", type, from) "($0, $1, $2);",     \
    REUSE_NEW(name, "tiles", from) "($0, $1, $2);"}, SAME("eltwise_binary.h"), NEVER}
/* The last era's sees by itself whether a register holds integers. */
#define RECONFIG(source)                                                                      \
  {"reconfig_data_format_" source "$x($0);", "reconfig_data_format_" source "$x($0);",        \
   "reconfig_data_format_" source "($0);"}
/* Below the API: these eras have no function of it. */
#define OLD_RELU "PACK((llk_pack_relu_config($0)));"
/* Functions of the vector unit. */
#define ERAS(...) {__VA_ARGS__}
#define NONE {NULL}
#define IN_PLACE "metalium.sfpu_tile"
#define SEVERAL "metalium.sfpu_tiles"
#define SFPU(name, inputs, scalar, form, header, init, call, value_call)                      \
  {"tt.sfpu.init", #name, init, header, NEVER},                                               \
  {form, #name, call, header, NEVER},                                                         \
  {"metalium.sfpu_scalar_tile", #name, value_call, header, NEVER},
#define STARTUP "compute_kernel_hw_startup.h"

const TtApiRow tt_api_rows[] = {
    CB("cb_reserve_back"), CB("cb_push_back"), CB("cb_wait_front"), CB("cb_pop_front"),
    {"metalium.noc_async_read_tile", NULL,
     {"noc_async_read_tile($0, $1, $2);", "noc_async_read_tile($0, $1, $2);",
      "noc_async_read_page($0, $1, $2);"}, NO_HEADER, NEVER},
    {"metalium.noc_async_write_tile", NULL,
     {"noc_async_write_tile($0, $1, $2);", "noc_async_write_tile($0, $1, $2);",
      "noc_async_write_page($0, $1, $2);"}, NO_HEADER, NEVER},
    PLAIN("metalium.noc_async_read_barrier", "noc_async_read_barrier"),
    PLAIN("metalium.noc_async_write_barrier", "noc_async_write_barrier"),
    PLAIN("metalium.noc_async_writes_flushed", "noc_async_writes_flushed"),
    VALUE("get_noc_addr", "($0, $1, $2)"),
    VALUE("get_noc_multicast_addr", "($n0, $n1, $n2, $n3, $4)"),
    {"metalium.my_x", NULL, SAME("my_x[noc_index]"), NO_HEADER, NEVER},
    {"metalium.my_y", NULL, SAME("my_y[noc_index]"), NO_HEADER, NEVER},
    VALUE("get_absolute_logical_x", "()"), VALUE("get_absolute_logical_y", "()"),
    MOVE("noc_async_read", "($0, $1, $2);"), MOVE("noc_async_write", "($0, $1, $2);"),
    MOVE("noc_async_write_multicast", "($0, $1, $2, $3);"),
    MOVE("noc_async_write_multicast_loopback_src", "($0, $1, $2, $3);"),
    MOVE("noc_semaphore_set", "($w, $1);"), MOVE("noc_semaphore_wait", "($w, $1);"),
    MOVE("noc_semaphore_wait_min", "($w, $1);"),
    MOVE("noc_semaphore_inc", "($0, $1);"), MOVE("noc_semaphore_inc_multicast", "($0, $1, $2);"),
    MOVE("noc_semaphore_set_remote", "($0, $1);"),
    MOVE("noc_semaphore_set_multicast", "($0, $1, $2);"),
    MOVE("noc_semaphore_set_multicast_loopback_src", "($0, $1, $2);"),

    {"tt.engine.init_common", "matmul",
     {"mm_init($0, $1, $2);", "mm_init($0, $1, $2);",
      "compute_kernel_hw_startup<SrcOrder::Reverse>($0, $1, $2);"},
     {"matmul.h", "matmul.h", STARTUP}, NEVER},
    {"tt.engine.init_common", "binary",
     {"binary_op_init_common($0, $1, $2);", "binary_op_init_common($0, $1, $2);",
      "compute_kernel_hw_startup($0, $1, $2);"},
     {"eltwise_binary.h", "eltwise_binary.h", STARTUP}, NEVER},
    {"tt.engine.init_common", "copy",
     {"unary_op_init_common($0, $1);", "unary_op_init_common($0, $1);",
      "compute_kernel_hw_startup($0, $1);"},
     {"eltwise_unary/eltwise_unary.h", "eltwise_unary/eltwise_unary.h", STARTUP}, NEVER},
    {"tt.fpu.matmul_init", "transpose_b",
     {"mm_init_short($0, $1, 1);", "mm_init_short($0, $1, 1);", "matmul_init($0, $1, 1);"},
     SAME("matmul.h"), NEVER},
    {"tt.fpu.matmul_init", NULL,
     {"mm_init_short($0, $1);", "mm_init_short($0, $1);", "matmul_init($0, $1);"},
     SAME("matmul.h"), OLDER},
    BINARY_INIT("add"), BINARY_INIT("sub"), BINARY_INIT("mul"),
    {"metalium.copy_tile_init", NULL,
     {"copy_tile_to_dst_init_short($0);", "copy_tile_init($0);", "copy_init($0);"},
     SAME("tile_move_copy.h"), NEVER},
    {"metalium.reconfig_data_format_srca", NULL, RECONFIG("srca"),
     SAME("reconfig_data_format.h"), NEVER},
    {"metalium.reconfig_data_format_srcb", NULL, RECONFIG("srcb"),
     SAME("reconfig_data_format.h"), NEVER},
    {"tt.pack.init", NULL, SAME("pack_reconfig_data_format($0);"),
     {"pack.h", "pack.h", "reconfig_data_format.h"}, NEVER},

    PLAIN("tt.dst.acquire", "tile_regs_acquire"), PLAIN("tt.dst.commit", "tile_regs_commit"),
    PLAIN("tt.dst.wait", "tile_regs_wait"), PLAIN("tt.dst.release", "tile_regs_release"),
    {"metalium.matmul_tiles", "transpose_b",
     {"matmul_tiles($0, $1, $2, $3, $4, true);", "matmul_tiles($0, $1, $2, $3, $4);",
      "matmul_tiles($0, $1, $2, $3, $4);"}, SAME("matmul.h"), NEVER},
    {"metalium.matmul_tiles", NULL,
     {"matmul_tiles($0, $1, $2, $3, $4, false);", "matmul_tiles($0, $1, $2, $3, $4);",
      "matmul_tiles($0, $1, $2, $3, $4);"}, SAME("matmul.h"), NEVER},
    MM_BLOCK("transpose_b", "1"), MM_BLOCK(NULL, "0"),
    BINARY("add"), BINARY("sub"), BINARY("mul"), BINARY_ONTO("add"),
    BCAST("add", "rows", "add_bcast_rows_init_short"),
    BCAST("add", "cols", "add_bcast_cols_init_short"),
    BCAST("add", "scalar", "add_bcast_scalar_init_short"),
    BCAST("sub", "cols", "sub_bcast_cols_init_short"),
    BCAST("sub", "scalar", "sub_tiles_bcast_scalar_init_short"),
    BCAST("mul", "rows", "mul_bcast_rows_init_short"),
    BCAST("mul", "cols", "mul_bcast_cols_init_short"),
    BCAST("mul", "scalar", "mul_tiles_bcast_scalar_init_short"),
    REDUCE("max_row", "PoolType::MAX, ReduceDim::REDUCE_ROW"),
    REDUCE("max_col", "PoolType::MAX, ReduceDim::REDUCE_COL"),
    {"metalium.reduce_block_max_row_init", NULL,
     {"reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>($0, $1, $2);",
      "reduce_block_max_row_init<$k>();", "reduce_block_max_row_init<$k>($2);"},
     {"reduce.h", "reduce_custom.h"}, NEVER},
    {"metalium.reduce_block_max_row", NULL,
     {"largest_of_row<$k>($0, $1, $2, $3);", "reduce_block_max_row<$k>($0, $1, $2, $3);"},
     {"reduce.h", "reduce_custom.h"}, NEVER},
    {"metalium.reduce_block_max_row_uninit", NULL,
     {"reduce_uninit();", "reduce_block_max_row_uninit($0);"},
     {"reduce.h", "reduce_custom.h"}, NEVER},
    {"metalium.reduce_uninit", NULL, SAME("reduce_uninit();"), SAME("reduce.h"), NEVER},
    REUSE("add", "add", "ELWADD", "DEST_TO_SRCB"), REUSE("mul", "mul", "ELWMUL", "DEST_TO_SRCB"),
    REUSE("sub", "sub", "ELWSUB", "DEST_TO_SRCA"), REUSE("rsub", "sub", "ELWSUB", "DEST_TO_SRCB"),
    {"metalium.transpose_wh_init_short", NULL,
     {"transpose_wh_init_short($0);", "transpose_wh_init_short($0);", "transpose_init($0);"},
     {"transpose_wh.h", "transpose_wh.h", "transpose.h"}, NEVER},
    {"metalium.transpose_wh_tile", NULL,
     {"transpose_wh_tile($0, $1, $2);", "transpose_wh_tile($0, $1, $2);",
      "transpose_tile($0, $1, $2);"},
     {"transpose_wh.h", "transpose_wh.h", "transpose.h"}, NEVER},
    {"metalium.copy_tile", NULL, SAME("copy_tile($0, $1, $2);"), SAME("tile_move_copy.h"), NEVER},
    {"metalium.pack_tile", "place", SAME("pack_tile<true>($0, $1, $2);"), NO_HEADER, NEVER},
    {"metalium.pack_tile", NULL, SAME("pack_tile($0, $1);"), NO_HEADER, NEVER},
    {"metalium.pack_reconfig_l1_acc", NULL, SAME("pack_reconfig_l1_acc($0);"), SAME("pack.h"), NEVER},
    {"metalium.pack_relu_config", NULL, {OLD_RELU, OLD_RELU, "pack_relu_config($0);"},
     SAME("pack.h"), NEVER},

    {"metalium.load_word", NULL, SAME("load_integer<$i>($0)"), NO_HEADER, NEVER},
    {"metalium.store_word", NULL, SAME("store_word($0, $1);"), NO_HEADER, NEVER},
    {"metalium.read_tile_value", NULL,
     {"front_word($0)", "read_tile_value($0, 0, 0)", "read_tile_value($0, 0, 0)"}, NO_HEADER, NEVER},
    {"metalium.fill_zeros", NULL, SAME("fill_zeros($0, $1);"), NO_HEADER, NEVER},
    {"metalium.copy_part", "flat", SAME("copy_rows<$p>($0, $1, $2, $3, $4, $5, $6, $7);"),
     NO_HEADER, NEVER},
    {"metalium.noc_async_read_rows", NULL, SAME("read_rows<$p>($0, $1, $2, $3, $4, $5);"),
     NO_HEADER, NEVER},
    {"metalium.noc_async_write_rows", NULL, SAME("write_rows<$p>($0, $1, $2, $3, $4, $5);"),
     NO_HEADER, NEVER},
    {"metalium.copy_part", "back", SAME("copy_part_back<$p>($0, $1, $2, $3, $4, $5, $6, $7);"),
     NO_HEADER, NEVER},
    {"metalium.copy_part", NULL, SAME("copy_part<$p>($0, $1, $2, $3, $4, $5, $6, $7);"), NO_HEADER,
     NEVER},
    {"metalium.noc_async_read_part", NULL, SAME("read_part<$p>($0, $1, $2, $3, $4, $5, $6);"),
     NO_HEADER, NEVER},
    {"metalium.noc_async_read_run", NULL, SAME("read_run<$p>($0, $1, $2, $3, $4, $5, $6);"),
     NO_HEADER, NEVER},
    {"metalium.noc_async_write_part", NULL,
     SAME("write_part<$p>($0, $1, $2, $3, $4, $5, $6, $7, $8);"), NO_HEADER, NEVER},
    {"metalium.fill_index_tile", NULL, SAME("fill_index_tile($0, $r, $c);"), NO_HEADER, NEVER},
#include "Target/sfpu.def"
};
const size_t tt_num_api_rows = sizeof tt_api_rows / sizeof *tt_api_rows;

const char *const tt_api_reserved[] = {
    "TensorAccessor", "TensorAccessorArgs", "get_arg_val", "get_common_arg_val",
    "get_compile_time_arg_val", "get_tile_size", "get_write_ptr", "get_read_ptr",
    "noc_async_read", "noc_async_write", "noc_index", "get_semaphore", "float_bits", "fill_index_tile", "fill_zeros", "tt", "std",
    "element_at", "run_from", "copy_part", "copy_part_back", "read_part", "read_run", "write_part", "copy_rows", "read_rows", "write_rows", "load_integer", "store_word", "front_word", "largest_of_row",
    "uint32_t", "int32_t", "size_t", "SrcOrder",
    "kernel_main", "MAIN", "NAMESPACE", "MATH", "PACK", "UNPACK", "DPRINT", "ckernel",
    /* the host program */
    "argc", "argv", "device", "cq", "program", "workload", "cores", "core", "reader", "writer",
    "compute", "main", "distributed", "CreateProgram", "CreateKernel", "CreateCircularBuffer",
    "SetRuntimeArgs", "CoreCoord", "CoreRange", "CoreRangeSet", "read_file", "write_file",
    "read_number", "read_size", "tiles_of", "resize", "tilize_nfaces", "untilize_nfaces",
    "tilize_bytes", "untilize_bytes", "pack_blocks", "unpack_blocks", "cast_integers",
    "halves_as_floats", "floats_as_halves", "bfloat16s_as_floats", "floats_as_bfloat16s",
    "make_buffer", "make_sharded_buffer", "make_cb", "bfloat16", "Program", "DataFormat", "CBIndex", "stderr", "errno",
};
const size_t tt_num_api_reserved = sizeof tt_api_reserved / sizeof *tt_api_reserved;

/* A column an era, or fewer where the last holds on. */
static const char *const texts[TT_API_NUM_TEXTS][TT_API_COUNT] = {
    [TT_API_COMPUTE_FOLDER] = {"compute_kernel_api/", "api/compute/"},
    /* which stood beside its folder in 2025 */
    [TT_API_COMPUTE_KERNEL_API] = {"compute_kernel_api.h", "api/compute/compute_kernel_api.h"},
    [TT_API_COMPUTE_COMMON] = {"compute_kernel_api/common.h", "api/compute/common.h"},
    [TT_API_DATAFLOW] = {"dataflow_api.h", "api/dataflow/dataflow_api.h"},
    [TT_API_COMPUTE_OPENS] = {"namespace NAMESPACE {\nvoid MAIN {", "void kernel_main() {"},
    [TT_API_COMPUTE_CLOSES] = {"}\n}  // namespace NAMESPACE", "}"},
    [TT_API_ACCESSOR_COMMA] = {", ", ", ", ""},
    [TT_API_HALVES_OF_WORDS] = {"UNPACK((llk_unpack_dbg_feature_disable()));", NULL, ""},
    /* zeros, whose bits are those of the integer, and then a sum; fill_tile's init holds after it */
    [TT_API_FILL_WORDS] = {"fill_tile($0, 0.0f);\n"
                           "binop_with_scalar_tile_init();\n"
                           "add_unary_tile_int32($0, $1);\n"
                           "fill_tile_init();"},
    /* what read_tile_value is in later eras */
    [TT_API_FRONT_WORD] =
        {"// The word at the front of a circular buffer, which unpack reads for all three.\n"
         "inline uint32_t front_word(uint32_t cb) {\n"
         "    uint32_t value = 0;\n"
         "    UNPACK(value = *reinterpret_cast<volatile uint32_t*>(get_local_cb_interface(cb).fifo_rd_ptr << 4);\n"
         "           ckernel::mailbox_write(ckernel::ThreadId::MathThreadId, value);\n"
         "           ckernel::mailbox_write(ckernel::ThreadId::PackThreadId, value);)\n"
         "    MATH(value = ckernel::mailbox_read(ckernel::ThreadId::UnpackThreadId);)\n"
         "    PACK(value = ckernel::mailbox_read(ckernel::ThreadId::UnpackThreadId);)\n"
         "    return value;\n"
         "}\n\n", ""},
    /* what reduce_block_max_row is in later eras */
    [TT_API_ROW_MAXIMA] =
        {"// The largest elements of rows of tiles that lie behind each other.\n"
         "template <uint32_t tiles>\n"
         "inline void largest_of_row(uint32_t cb, uint32_t ones, uint32_t first, uint32_t dst) {\n"
         "    for (uint32_t i = 0; i < tiles; ++i) {\n"
         "        reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(cb, ones, first + i, 0, dst);\n"
         "    }\n"
         "}\n\n", ""},
};

/* clang-format on */

/* It names them in defaults of templates, in all eras, and does not compile without. */
static const char reduce_defaults[] =
    "// Defaults that reduce.h wants to be there; each call names its own.\n"
    "#define REDUCE_OP PoolType::SUM\n"
    "#define REDUCE_DIM ReduceDim::REDUCE_ROW";

const char *tt_api_before_header(const char *header) {
  return strcmp(header, "reduce.h") == 0 ? reduce_defaults : NULL;
}

const char *tt_api_text(TtApiText text, TtApi api) { return tt_era_column(texts[text], api); }
