/* The generated C API: builders build what accessors read back, and verifiers
 * refuse what is wrong. */

#include "tilewright/tilewright.h"

#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Target/eras.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what) {
  if (ok) return;
  printf("FAILED: %s\n", what);
  ++failures;
}

static void test_attributes(MlirContext context) {
  const int64_t tile[2] = {32, 32};
  MlirAttribute buffer =
      tt_buffer_attr_get(context, TT_MEMORY_L1, TT_LAYOUT_INTERLEAVED, 2, tile, TT_D_TYPE_FP32,
                         mlirAttributeGetNull(), mlirAttributeGetNull());
  check(tt_buffer_attr_isa(buffer) && !tt_cb_attr_isa(buffer), "isa tells attributes apart");
  check(tt_buffer_attr_memory(buffer) == TT_MEMORY_L1, "enum parameter");
  check(tt_buffer_attr_num_tile_shape(buffer) == 2 && tt_buffer_attr_tile_shape(buffer, 1) == 32,
        "list parameter");
  check(mlirAttributeIsNull(tt_buffer_attr_nd_shard(buffer)), "optional parameter");
  MlirAttribute parsed = mlirAttributeParseGet(
      context,
      tt_str("#tt.buffer<memory = L1, layout = interleaved, tile_shape = [32, 32], dtype = fp32>"));
  check(mlirAttributeEqual(parsed, buffer), "the built attribute is the parsed one");
  TtMemory memory;
  check(tt_memory_parse(tt_str("DRAM"), &memory) && memory == TT_MEMORY_DRAM, "enum from text");
  check(!tt_memory_parse(tt_str("dram"), &memory), "enum from wrong text");
  check(tt_str_eq(tt_str(tt_d_type_str(TT_D_TYPE_BFP8_B)), "bfp8_b"), "enum to text");
}

/* What the table says of an op, and inits that are made of it. */
static void test_facts(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y,
                       MlirOperation add) {
  MlirValue tile = tt_index(b, loc, 0);
  check(tt_value_eq(tt_op_reads(add, 1), y) && tt_value_eq(tt_op_fills(add), x) &&
            !tt_is_null_value(tt_op_reads(add, 0)) && tt_is_null_value(tt_op_reads(add, 2)),
        "circular buffers that an op reads and fills");
  MlirOperation matmul =
      metalium_matmul_tiles_create(b, loc, x, y, tile, tile, tile, mlirUnitAttrGet(b->context));
  check(tt_source_read(matmul, TT_UNIT_SOURCE_A) == 1 &&
            tt_source_read(matmul, TT_UNIT_SOURCE_B) == 0,
        "a product's second operand goes to source A");
  MlirOperation reuse =
      metalium_binary_dest_reuse_tiles_create(b, loc, TT_REUSE_SUB, x, tile, tile);
  check(tt_source_read(reuse, TT_UNIT_SOURCE_A) == -1 &&
            tt_source_read(reuse, TT_UNIT_SOURCE_B) == 0,
        "what is subtracted from DST goes to source B");
  TtArena *arena = tt_arena_create();
  MlirOperation init = tt_create_init(b, matmul, x);
  check(tt_fpu_matmul_init_isa(init) && tt_value_eq(tt_fpu_matmul_init_b(init), y) &&
            tt_value_eq(tt_fpu_matmul_init_out(init), x),
        "the init of an op is on its circular buffers");
  check(strcmp(tt_setting(arena, init), "matmul, transpose_b") == 0 &&
            strcmp(tt_setting(arena, matmul), tt_setting(arena, init)) == 0,
        "an init sets what its op needs");
  check(strcmp(tt_setting(arena, reuse), "reuse of DST, sub") == 0, "the setting of a variant");
  check(strcmp(tt_tile_op("mul_bcast_cols")->name, "metalium.mul_tiles_bcast_cols") == 0 &&
            !tt_tile_op("mul_bcast_diagonals"),
        "the op of a variant");
  tt_arena_destroy(arena);
}

/* Conversions shared an init in 2025, and each has its own since. */
static void test_sharing(void) {
  int a = TT_SFPU_I32_TO_F32, b = TT_SFPU_F32_TO_I32;
  check(tt_sfpu_shares_init_in(TT_API_2025, a, b) && !tt_sfpu_shares_init_in(TT_API_2026_08, a, b),
        "what shares an init is said an era");
  check(!tt_sfpu_shares_init(a, b) && tt_sfpu_shares_init(TT_SFPU_ADD_SCALAR, TT_SFPU_MUL_SCALAR),
        "what shares an init in all eras");
  const char *columns[TT_API_COUNT] = {"first"};
  check(strcmp(tt_era_column(columns, (TtApi)TT_API_NEWEST), "first") == 0,
        "an era without an entry has that of the one before");
}

static void test_ops(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(loc);
  TtBuilder b = tt_builder_at_end(mlirModuleGetBody(module));
  const int64_t block[2] = {4, 1};
  MlirType cb = tt_cb_type_get(context, 2, block, mlirBF16TypeGet(context));
  check(tt_cb_rows(cb) == 4 && tt_cb_tiles(cb) == 4, "type parameters");

  MlirOperation a = tt_alloc_cb_create(&b, loc, cb, "cb_a", tt_i64_attr(context, 3));
  check(tt_alloc_cb_isa(a) && !tt_mm_mma_isa(a), "isa tells ops apart");
  check(tt_str_eq(tt_string(tt_alloc_cb_name(a)), "cb_a"), "string attribute");
  check(tt_int(tt_alloc_cb_depth(a)) == 3, "optional attribute, given");
  MlirOperation plain = tt_alloc_cb_create(&b, loc, cb, "cb_b", mlirAttributeGetNull());
  check(mlirAttributeIsNull(tt_alloc_cb_depth(plain)), "optional attribute, left out");

  MlirValue x = tt_alloc_cb_cb(a), y = tt_alloc_cb_cb(plain), none = {NULL};
  MlirOperation add = tt_fpu_add_create(&b, loc, x, y, mlirAttributeGetNull(), 2, none);
  check(tt_is_null_value(tt_fpu_add_out(add)), "optional operand, left out");
  check(tt_int(tt_fpu_add_dst(add)) == 2, "integer attribute");
  add = tt_fpu_add_create(&b, loc, x, y, mlirAttributeGetNull(), 0, x);
  check(tt_value_eq(tt_fpu_add_out(add), x) && tt_value_eq(tt_fpu_add_b(add), y), "operands");

  const MlirValue inputs[2] = {x, y};
  MlirOperation init = tt_engine_init_common_create(&b, loc, TT_STARTUP_BINARY, 2, inputs, y);
  check(tt_engine_init_common_num_inputs(init) == 2, "variadic operand");
  check(tt_value_eq(tt_engine_init_common_inputs(init, 1), y), "element of a variadic operand");
  check(tt_value_eq(tt_engine_init_common_out(init), y), "operand after a variadic one");

  check(tt_op_info(add)->level == TT_LEVEL_PROTOCOL_FREE &&
            tt_op_info(add)->role == TT_ROLE_COMPUTE,
        "level and role of an op");
  check(tt_op_info(init)->level == TT_LEVEL_PROTOCOL, "level of a protocol op");
  check(mlirOperationVerify(mlirModuleGetOperation(module)), "the module verifies");
  test_facts(&b, loc, x, y, add);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_dialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  test_attributes(context);
  test_ops(context);
  test_sharing();
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  if (!failures) printf("all accessors as expected\n");
  return failures != 0;
}
