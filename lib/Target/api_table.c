/*===- api_table.c - the kernel API, era by era ------------------------------------------------===
 *
 * Columns: 2025, 2026-03, 2026-08. What changed between them: the startup became
 * one function, called once (compute_kernel_hw_startup), inits lost the word
 * `tiles`, and transfers speak of pages.
 *
 *===----------------------------------------------------------------------===*/

#include "Target/api_table.h"

#include <string.h>

#define SAME(call) {call, call, call}
#define NO_HEADER {NULL, NULL, NULL}
#define NEVER {false, false, false}
#define OLDER {true, true, false}
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
/* Functions of the vector unit: of one tile in place, with a scalar, of several tiles. */
#define SFPU_AS(name, init, tile_op, call, header)                                            \
  {"tt.sfpu.init", name, SAME(init "();"), SAME(header), NEVER},                              \
  {tile_op, name, SAME(call), SAME(header), NEVER}
#define SFPU(name, header)                                                                    \
  SFPU_AS(name, name "_tile_init", "metalium.sfpu_tile", name "_tile($0);", header)
#define SFPU_ROUND(name)                                                                      \
  SFPU_AS(name, "rounding_op_tile_init", "metalium.sfpu_tile", name "_tile($0);",             \
          "eltwise_unary/rounding.h")
#define SFPU_SCALAR(name, call)                                                               \
  SFPU_AS(name "_scalar", "binop_with_scalar_tile_init", "metalium.sfpu_tile",                \
          call "_unary_tile($0, $s);", "eltwise_unary/binop_with_scalar.h"),                  \
  {"metalium.sfpu_scalar_tile", name "_scalar", SAME(call "_unary_tile($0, $v);"),            \
   SAME("eltwise_unary/binop_with_scalar.h"), NEVER}
#define SFPU_LIMIT(name)                                                                      \
  SFPU_AS(name "_scalar", "unary_" name "_tile_init", "metalium.sfpu_tile",                   \
          "unary_" name "_tile($0, $s);", "compute_kernel_api.h"),                            \
  {"metalium.sfpu_scalar_tile", name "_scalar", SAME("unary_" name "_tile($0, $v);"),         \
   SAME("compute_kernel_api.h"), NEVER}
#define SFPU_BINARY(name, header)                                                             \
  SFPU_AS(name, name "_binary_tile_init", "metalium.sfpu_tiles",                              \
          name "_binary_tile($0, $1, $2);", header)
#define SFPU_OF_TWO(name)                                                                     \
  SFPU_AS(name, "binary_" name "_tile_init", "metalium.sfpu_tiles",                           \
          "binary_" name "_tile($0, $1, $2);", "binary_max_min.h")
#define FORMATS(from, to) "<(uint32_t)DataFormat::" from ", (uint32_t)DataFormat::" to ">"
#define CAST(name, from, to)                                                                  \
  {"tt.sfpu.init", name,                                                                      \
   {"typecast_tile_init();", "typecast_tile_init" FORMATS(from, to) "();",                    \
    "typecast_tile_init" FORMATS(from, to) "();"}, SAME("eltwise_unary/typecast.h"), NEVER},  \
  {"metalium.sfpu_tile", name, SAME("typecast_tile" FORMATS(from, to) "($0);"),               \
   SAME("eltwise_unary/typecast.h"), NEVER}
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
    {"metalium.reconfig_data_format_srca", NULL, SAME("reconfig_data_format_srca($0);"),
     SAME("reconfig_data_format.h"), NEVER},
    {"metalium.reconfig_data_format_srcb", NULL, SAME("reconfig_data_format_srcb($0);"),
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
    BINARY("add"), BINARY("sub"), BINARY("mul"),
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
    {"metalium.pack_relu_config", NULL, {ABSENT, ABSENT, "pack_relu_config($0);"}, SAME("pack.h"), NEVER},

    SFPU("exp", "eltwise_unary/exp.h"), SFPU("recip", "eltwise_unary/recip.h"),
    SFPU("sqrt", "eltwise_unary/sqrt.h"), SFPU("rsqrt", "eltwise_unary/rsqrt.h"),
    SFPU("relu", "eltwise_unary/relu.h"), SFPU("gelu", "eltwise_unary/gelu.h"),
    SFPU("erf", "eltwise_unary/erf_erfc.h"), SFPU("erfc", "eltwise_unary/erf_erfc.h"),
    SFPU("log1p", "eltwise_unary/log1p.h"), SFPU("negative", "eltwise_unary/negative.h"),
    SFPU("tanh", "compute_kernel_api.h"), SFPU("sigmoid", "compute_kernel_api.h"),
    SFPU("silu", "compute_kernel_api.h"), SFPU("abs", "compute_kernel_api.h"),
    SFPU("exp2", "compute_kernel_api.h"), SFPU("expm1", "compute_kernel_api.h"),
    SFPU("log", "compute_kernel_api.h"), SFPU("square", "compute_kernel_api.h"),
    SFPU("sign", "compute_kernel_api.h"),
    SFPU("sin", "eltwise_unary/trigonometry.h"), SFPU("cos", "eltwise_unary/trigonometry.h"),
    SFPU("tan", "eltwise_unary/trigonometry.h"), SFPU("asin", "eltwise_unary/trigonometry.h"),
    SFPU("acos", "eltwise_unary/trigonometry.h"), SFPU("atan", "eltwise_unary/trigonometry.h"),
    SFPU("sinh", "eltwise_unary/trigonometry.h"), SFPU("cosh", "eltwise_unary/trigonometry.h"),
    SFPU("asinh", "eltwise_unary/trigonometry.h"), SFPU("acosh", "eltwise_unary/trigonometry.h"),
    SFPU("atanh", "eltwise_unary/trigonometry.h"),
    SFPU_ROUND("floor"), SFPU_ROUND("ceil"), SFPU_ROUND("trunc"),
    SFPU("isnan", "eltwise_unary/isinf_isnan.h"), SFPU("isposinf", "eltwise_unary/isinf_isnan.h"),
    SFPU("isneginf", "eltwise_unary/isinf_isnan.h"),
    CAST("round_to_bf16", "Float32", "Float16_b"),
    SFPU("gtz", "eltwise_unary/comp.h"), SFPU("ltz", "eltwise_unary/comp.h"),
    SFPU("gez", "eltwise_unary/comp.h"), SFPU("lez", "eltwise_unary/comp.h"),
    SFPU("eqz", "eltwise_unary/comp.h"), SFPU("nez", "eltwise_unary/comp.h"),
    SFPU_SCALAR("add", "add"), SFPU_SCALAR("sub", "sub"), SFPU_SCALAR("mul", "mul"),
    SFPU_SCALAR("rsub", "rsub"), SFPU_LIMIT("max"), SFPU_LIMIT("min"),
    SFPU_AS("fill", "fill_tile_init", "metalium.sfpu_tile", "fill_tile($0, $f);",
            "eltwise_unary/fill.h"),
    {"metalium.sfpu_scalar_tile", "fill", SAME("fill_tile_bitcast($0, $v);"),
     SAME("eltwise_unary/fill.h"), NEVER},
    {"metalium.fill_zeros", NULL, SAME("fill_zeros($0, $1);"), NO_HEADER, NEVER},
    {"metalium.fill_index_tile", NULL, SAME("fill_index_tile($0, $r, $c);"), NO_HEADER, NEVER},
    SFPU_BINARY("add", "eltwise_binary_sfpu.h"), SFPU_BINARY("sub", "eltwise_binary_sfpu.h"),
    SFPU_BINARY("mul", "eltwise_binary_sfpu.h"), SFPU_BINARY("div", "eltwise_binary_sfpu.h"),
    SFPU_BINARY("power", "eltwise_binary_sfpu.h"), SFPU_OF_TWO("max"), SFPU_OF_TWO("min"),
    {"tt.sfpu.init", "copy", SAME("copy_dest_values_init();"), SAME("copy_dest_values.h"), NEVER},
    {"metalium.sfpu_tiles", "copy",
     {"copy_dest_values($0, $1);", "copy_dest_values($0, $1);", "copy_dest_values<$t>($0, $1);"},
     SAME("copy_dest_values.h"), NEVER},
    SFPU_AS("add_int", "add_int_tile_init", "metalium.sfpu_tiles",
            "add_int_tile<DataFormat::Int32>($0, $1, $2);", "add_int_sfpu.h"),
    SFPU_AS("sub_int", "sub_int_tile_init", "metalium.sfpu_tiles",
            "sub_int_tile<DataFormat::Int32>($0, $1, $2);", "sub_int_sfpu.h"),
    SFPU_AS("mul_int", "mul_int_tile_init<DataFormat::Int32>", "metalium.sfpu_tiles",
            "mul_int_tile<DataFormat::Int32>($0, $1, $2);", "mul_int_sfpu.h"),
    SFPU_AS("max_int", "binary_max_int32_tile_init", "metalium.sfpu_tiles",
            "binary_max_int32_tile($0, $1, $2);", "binary_max_min.h"),
    SFPU_AS("min_int", "binary_min_int32_tile_init", "metalium.sfpu_tiles",
            "binary_min_int32_tile($0, $1, $2);", "binary_max_min.h"),
    SFPU_AS("abs_int", "abs_tile_init", "metalium.sfpu_tile", "abs_tile_int32($0);",
            "compute_kernel_api.h"),
    SFPU_AS("nez_int", "nez_tile_init", "metalium.sfpu_tile", "nez_tile_int32($0);",
            "eltwise_unary/comp.h"),
    SFPU_AS("eqz_int", "eqz_tile_init", "metalium.sfpu_tile", "eqz_tile_int32($0);",
            "eltwise_unary/comp.h"),
    SFPU_AS("where_int", "where_tile_init", "metalium.sfpu_tiles",
            "where_tile<DataFormat::Int32>($0, $1, $2, $3);", "eltwise_unary/where.h"),
    {"tt.sfpu.init", "fill_int", SAME("fill_tile_init();"), SAME("eltwise_unary/fill.h"), NEVER},
    {"metalium.sfpu_scalar_tile", "fill_int", SAME("fill_tile_int<DataFormat::Int32>($0, $1);"),
     SAME("eltwise_unary/fill.h"), NEVER},
    CAST("i32_to_f32", "Int32", "Float32"), CAST("f32_to_i32", "Float32", "Int32"),
    CAST("u8_to_f32", "UInt8", "Float32"), CAST("f32_to_u8", "Float32", "UInt8"),
    CAST("u8_to_i32", "UInt8", "Int32"),
    SFPU_AS("where", "where_tile_init", "metalium.sfpu_tiles", "where_tile<$t>($0, $1, $2, $3);",
            "eltwise_unary/where.h"),
};
const size_t tt_num_api_rows = sizeof tt_api_rows / sizeof *tt_api_rows;

const char *const tt_api_reserved[] = {
    "TensorAccessor", "TensorAccessorArgs", "get_arg_val", "get_common_arg_val",
    "get_compile_time_arg_val", "get_tile_size", "get_write_ptr", "get_read_ptr",
    "noc_async_read", "noc_async_write", "noc_index", "get_semaphore", "float_bits", "fill_index_tile", "fill_zeros", "tt", "std",
    "uint32_t", "int32_t", "size_t", "SrcOrder",
    "kernel_main", "MAIN", "NAMESPACE", "MATH", "PACK", "UNPACK", "DPRINT", "ckernel",
    /* the host program */
    "argc", "argv", "device", "cq", "program", "workload", "cores", "core", "reader", "writer",
    "compute", "main", "distributed", "CreateProgram", "CreateKernel", "CreateCircularBuffer",
    "SetRuntimeArgs", "CoreCoord", "CoreRange", "CoreRangeSet", "read_file", "write_file",
    "make_buffer", "make_cb", "bfloat16", "Program", "DataFormat", "CBIndex", "stderr", "errno",
};
const size_t tt_num_api_reserved = sizeof tt_api_reserved / sizeof *tt_api_reserved;

/* clang-format on */

const char *tt_api_sfpu_init(const char *op) {
  for (size_t i = 0; i < tt_num_api_rows; ++i) {
    const TtApiRow *row = &tt_api_rows[i];
    if (strcmp(row->op, "tt.sfpu.init") == 0 && row->variant && strcmp(op, row->variant) == 0)
      return row->call[TT_API_COUNT - 1];
  }
  return NULL;
}

const char *tt_api_compute_folder(TtApi api) {
  return api == TT_API_2025 ? "compute_kernel_api/" : "api/compute/";
}

const char *tt_api_dataflow_header(TtApi api) {
  return api == TT_API_2025 ? "dataflow_api.h" : "api/dataflow/dataflow_api.h";
}

const char *tt_api_common_header(TtApi api) {
  return api == TT_API_2025 ? "compute_kernel_api/common.h" : "api/compute/common.h";
}
