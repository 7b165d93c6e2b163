/*===- verify_tt.c - verifiers of the tt dialect --------------------------------===
 *
 * (C1), (C2), … are the constraints in dialects/TTOps.td.
 *
 *===----------------------------------------------------------------------===*/

#include "tilewright/ir.h"
#include "tilewright/kernel.h"
#include "tilewright/target.h"
#include "tilewright/verify.h"

#include <string.h>

const char *tt_cb_type_check(intptr_t rank, const int64_t *shape, MlirType element) {
  TtDType dtype;
  if (rank != 2) return "a circular buffer's block has two sides, in tiles: !tt.cb<4x1xbf16>";
  if (shape[0] < 1 || shape[1] < 1) return "a circular buffer's block has at least one tile";
  if (shape[0] > 1 << 20 || shape[1] > 1 << 20) return "a circular buffer's block is too large";
  if (!tt_dtype_of(element, &dtype))
    return "a circular buffer holds bf16, f16, f32, i32, i16 or i8 elements";
  return NULL;
}

/*===- Structure ------------------------------------------------------------===*/

static bool verify_member(MlirOperation op, unsigned *roles_seen, uint64_t *ids_seen) {
  if (tt_circular_buffer_isa(op)) {
    int64_t id = tt_cb_attr_cb_id(tt_circular_buffer_config(op));
    if (id < 0 || id >= TT_MAX_CBS)
      return tt_error(op, "(C3) a CB id is 0 to 63, but this is %jd", (intmax_t)id);
    if (*ids_seen >> id & 1) return tt_error(op, "(C3) CB id %jd is already taken", (intmax_t)id);
    *ids_seen |= UINT64_C(1) << id;
    return true;
  }
  if (!tt_op_is(op, "func.func"))
    return tt_error(op, "(C1) a tt.program holds circular buffers and functions only");
  MlirAttribute attr = tt_get_attr(op, "tt.kernel_role");
  TtKernelRole role;
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAString(attr) ||
      !tt_kernel_role_parse(tt_string(attr), &role))
    return tt_error(op, "(C2) a function of a tt.program needs tt.kernel_role = \"reader\", "
                        "\"compute\" or \"writer\"");
  if (*roles_seen >> role & 1)
    return tt_error(op, "(C2) the program has a second %s", tt_kernel_role_str((int)role));
  *roles_seen |= 1U << role;
  return true;
}

bool tt_program_verify(MlirOperation op) {
  unsigned roles = 0;
  uint64_t ids = 0;
  for (MlirOperation member = mlirBlockGetFirstOperation(tt_body(op)); !mlirOperationIsNull(member);
       member = tt_next(member))
    if (!verify_member(member, &roles, &ids)) return false;
  return true;
}

bool tt_circular_buffer_verify(MlirOperation op) {
  MlirType type = mlirTypeAttrGetValue(tt_circular_buffer_type(op));
  MlirAttribute config = tt_circular_buffer_config(op);
  int64_t pages = tt_int(tt_circular_buffer_pages(op)), block = tt_cb_tiles(type);
  TtCBRole role;
  if (!tt_cb_role_parse(tt_string(tt_circular_buffer_role(op)), &role))
    return tt_error(op, "(C3) the role is \"input\", \"output\" or \"intermediate\"");
  if (pages < 1 || pages % block != 0)
    return tt_error(op, "(C1) has %jd pages, which is no multiple of its block of %jd tiles",
                    (intmax_t)pages, (intmax_t)block);
  int64_t tile = tt_format((TtDType)tt_cb_attr_data_format(config))->tile_bytes;
  if (tt_cb_attr_page_size(config) != tile)
    return tt_error(op, "(C2) page_size is %jd, but a %s tile has %jd bytes",
                    (intmax_t)tt_cb_attr_page_size(config),
                    tt_data_format_str((int)tt_cb_attr_data_format(config)), (intmax_t)tile);
  return true;
}

bool tt_get_cb_verify(MlirOperation op) {
  MlirStringRef name = tt_string(tt_get_cb_name(op));
  MlirOperation program = tt_parent(op);
  while (!mlirOperationIsNull(program) && !tt_program_isa(program)) program = tt_parent(program);
  if (mlirOperationIsNull(program))
    return tt_error(op, "(C1) tt.get_cb stands inside a tt.program only");
  for (MlirOperation cb = mlirBlockGetFirstOperation(tt_body(program)); !mlirOperationIsNull(cb);
       cb = tt_next(cb)) {
    if (!tt_circular_buffer_isa(cb) || !mlirStringRefEqual(tt_symbol_name(cb), name)) continue;
    if (mlirTypeEqual(mlirTypeAttrGetValue(tt_circular_buffer_type(cb)),
                      mlirValueGetType(tt_get_cb_cb(op))))
      return true;
    return tt_error(op, "(C1) the type differs from that of tt.circular_buffer @%.*s",
                    (int)name.length, name.data);
  }
  return tt_error(op, "(C1) the program has no tt.circular_buffer @%.*s", (int)name.length,
                  name.data);
}

bool tt_runtime_arg_verify(MlirOperation op) {
  MlirStringRef name = tt_string(tt_runtime_arg_name(op));
  for (size_t i = 0; i < tt_num_runtime_arg_names; ++i)
    if (tt_str_eq(name, tt_runtime_arg_names[i])) return true;
  static const char suffix[] = "_addr";
  enum { N = sizeof suffix - 1 };
  if (name.length > N && tt_str_eq((MlirStringRef){name.data + name.length - N, N}, suffix))
    return true;
  const char *near = tt_suggest(name, tt_runtime_arg_names, tt_num_runtime_arg_names);
  return tt_error(op, "(C1) there is no runtime argument '%.*s'%s%s%s", (int)name.length, name.data,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool tt_alloc_cb_verify(MlirOperation op) {
  MlirAttribute depth = tt_alloc_cb_depth(op);
  if (!mlirAttributeIsNull(depth) && tt_int(depth) < 1)
    return tt_error(op, "(C1) a circular buffer's depth is at least 1, but this is %jd",
                    (intmax_t)tt_int(depth));
  if (tt_string(tt_alloc_cb_name(op)).length == 0)
    return tt_error(op, "(C2) a circular buffer needs a name");
  return true;
}

/*===- Data movement --------------------------------------------------------===*/

static bool is_block_of(MlirType cb, MlirType memref) {
  return mlirShapedTypeHasStaticShape(memref) && mlirShapedTypeGetRank(memref) == 2 &&
         mlirTypeEqual(tt_cb_type_element_type(cb), mlirShapedTypeGetElementType(memref)) &&
         mlirShapedTypeGetDimSize(memref, 0) == tt_cb_rows(cb) * TT_TILE &&
         mlirShapedTypeGetDimSize(memref, 1) == tt_cb_cols(cb) * TT_TILE;
}

bool tt_cb_view_verify(MlirOperation op) {
  if (is_block_of(mlirValueGetType(tt_cb_view_cb(op)), mlirValueGetType(tt_cb_view_view(op))))
    return true;
  return tt_error(op, "(C1) the memref has not the elements of the block");
}

static bool verify_offset(MlirOperation op, MlirType tensor, intptr_t dim, int64_t offset,
                          int64_t size) {
  if (offset < 0 || offset % TT_TILE != 0)
    return tt_error(op, "(C3) offset %jd of dimension %jd is no multiple of a tile (32)",
                    (intmax_t)offset, (intmax_t)dim);
  if (mlirShapedTypeIsDynamicDim(tensor, dim)) return true;
  int64_t extent = mlirShapedTypeGetDimSize(tensor, dim);
  if (offset + size <= extent) return true;
  return tt_error(op, "(C3) the block covers elements %jd to %jd of dimension %jd, which has %jd",
                  (intmax_t)offset, (intmax_t)(offset + size - 1), (intmax_t)dim, (intmax_t)extent);
}

static bool verify_move(MlirOperation op, MlirType tensor, MlirType cb, intptr_t first_offset,
                        intptr_t num_offsets) {
  if (mlirShapedTypeGetRank(tensor) != 2)
    return tt_error(op, "(C4) moves blocks of tensors of two dimensions, but this has %jd",
                    (intmax_t)mlirShapedTypeGetRank(tensor));
  if (num_offsets != 2)
    return tt_error(op, "(C1) needs an offset for each of 2 dimensions, but has %jd",
                    (intmax_t)num_offsets);
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(tensor), tt_cb_type_element_type(cb)))
    return tt_error(op, "(C2) tensor and circular buffer differ in element type");
  for (intptr_t i = 0; i < 2; ++i) {
    int64_t offset, size = tt_cb_type_shape(cb, i) * TT_TILE;
    if (!tt_constant(mlirOperationGetOperand(op, first_offset + i), &offset)) offset = 0;
    if (!verify_offset(op, tensor, i, offset, size)) return false;
  }
  return true;
}

bool tt_read_to_cb_verify(MlirOperation op) {
  return verify_move(op, mlirValueGetType(tt_read_to_cb_tensor(op)),
                     mlirValueGetType(tt_read_to_cb_cb(op)), 1, tt_read_to_cb_num_offsets(op));
}

bool tt_write_from_cb_verify(MlirOperation op) {
  return verify_move(op, mlirValueGetType(tt_write_from_cb_tensor(op)),
                     mlirValueGetType(tt_write_from_cb_cb(op)), 2,
                     tt_write_from_cb_num_offsets(op));
}

/*===- Compute --------------------------------------------------------------===*/

static bool verify_dst(MlirOperation op, MlirAttribute dst) {
  if (tt_int(dst) >= 0) return true;
  return tt_error(op, "(C3) dst is not negative, but this is %jd", (intmax_t)tt_int(dst));
}

static bool same_block(MlirValue a, MlirValue b) {
  if (tt_is_null_value(a) || tt_is_null_value(b)) return true;
  MlirType x = mlirValueGetType(a), y = mlirValueGetType(b);
  return tt_cb_rows(x) == tt_cb_rows(y) && tt_cb_cols(x) == tt_cb_cols(y);
}

bool tt_mm_mma_verify(MlirOperation op) {
  TtProductShape p = tt_product_shape(op);
  if (p.k != p.inner_b)
    return tt_error(op, "(C1) a has %jd columns of tiles, but b has %jd %s", (intmax_t)p.k,
                    (intmax_t)p.inner_b,
                    mlirAttributeIsNull(tt_mm_mma_transpose_b(op)) ? "rows" : "columns");
  MlirValue out = tt_mm_mma_out(op);
  if (!tt_is_null_value(out)) {
    MlirType c = mlirValueGetType(out);
    if (tt_cb_rows(c) != p.r || tt_cb_cols(c) != p.c)
      return tt_error(
          op, "(C2) the result is %jdx%jd tiles, but the circular buffer's block is %jdx%jd",
          (intmax_t)p.r, (intmax_t)p.c, (intmax_t)tt_cb_rows(c), (intmax_t)tt_cb_cols(c));
  }
  return verify_dst(op, tt_mm_mma_dst(op));
}

static bool verify_elementwise(MlirOperation op, MlirValue a, MlirValue b, MlirValue out,
                               MlirAttribute dst) {
  if (!same_block(a, b) || !same_block(a, out))
    return tt_error(op, "(C1) the blocks differ in shape");
  return verify_dst(op, dst);
}

bool tt_fpu_add_verify(MlirOperation op) {
  return verify_elementwise(op, tt_fpu_add_a(op), tt_fpu_add_b(op), tt_fpu_add_out(op),
                            tt_fpu_add_dst(op));
}
bool tt_fpu_sub_verify(MlirOperation op) {
  return verify_elementwise(op, tt_fpu_sub_a(op), tt_fpu_sub_b(op), tt_fpu_sub_out(op),
                            tt_fpu_sub_dst(op));
}
bool tt_fpu_mul_verify(MlirOperation op) {
  return verify_elementwise(op, tt_fpu_mul_a(op), tt_fpu_mul_b(op), tt_fpu_mul_out(op),
                            tt_fpu_mul_dst(op));
}
bool tt_copy_to_dst_verify(MlirOperation op) {
  return verify_elementwise(op, tt_copy_to_dst_a(op), (MlirValue){NULL}, tt_copy_to_dst_out(op),
                            tt_copy_to_dst_dst(op));
}

/* The function of that name, or NULL after an error. */
static const TtSfpuFunction *verify_sfpu_name(MlirOperation op, const char *constraint,
                                              MlirStringRef name) {
  const TtSfpuFunction *function = tt_sfpu_function(name);
  if (function) return function;
  const char *names[128];
  size_t n = tt_num_sfpu_functions < 128 ? tt_num_sfpu_functions : 128;
  for (size_t i = 0; i < n; ++i) names[i] = tt_sfpu_functions[i].name;
  const char *near = tt_suggest(name, names, n);
  tt_error(op, "(%s) there is no SFPU function '%.*s'%s%s%s", constraint, (int)name.length, name.data,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return NULL;
}

bool tt_sfpu_unary_verify(MlirOperation op) {
  const TtSfpuFunction *f = verify_sfpu_name(op, "C2", tt_string(tt_sfpu_unary_op(op)));
  if (!f) return false;
  if (f->inputs != 1)
    return tt_error(op, "(C2) '%s' is a function of %d tiles; use tt.sfpu.combine", f->name,
                    f->inputs);
  if (f->scalar == mlirAttributeIsNull(tt_sfpu_unary_scalar(op)))
    return tt_error(op, "(C4) '%s' takes %s scalar", f->name, f->scalar ? "a" : "no");
  return verify_dst(op, tt_sfpu_unary_dst(op));
}

bool tt_sfpu_combine_verify(MlirOperation op) {
  const TtSfpuFunction *f = verify_sfpu_name(op, "C2", tt_string(tt_sfpu_combine_op(op)));
  MlirAttribute sources = tt_sfpu_combine_sources(op);
  intptr_t n = mlirDenseArrayGetNumElements(sources);
  if (!f) return false;
  if (n != f->inputs || (n == 1 && strcmp(f->name, "copy") != 0))
    return tt_error(op, "(C2) '%s' is a function of %d tile(s)%s, but this names %jd", f->name,
                    f->inputs, n == 1 ? " in place; use tt.sfpu.unary" : "", (intmax_t)n);
  for (intptr_t i = 0; i < n; ++i)
    if (mlirDenseI64ArrayGetElement(sources, i) < 0)
      return tt_error(op, "(C3) DST tile %jd is negative",
                      (intmax_t)mlirDenseI64ArrayGetElement(sources, i));
  return verify_dst(op, tt_sfpu_combine_dst(op));
}

bool tt_pack_to_cb_verify(MlirOperation op) {
  MlirAttribute tiles = tt_pack_to_cb_tiles(op);
  int64_t block = tt_cb_tiles(mlirValueGetType(tt_pack_to_cb_out(op)));
  if (!mlirAttributeIsNull(tiles) && (tt_int(tiles) < 1 || block % tt_int(tiles) != 0))
    return tt_error(op, "(C1) %jd tiles do not divide the block of %jd", (intmax_t)tt_int(tiles),
                    (intmax_t)block);
  return verify_dst(op, tt_pack_to_cb_dst(op));
}

/*===- Protocol -------------------------------------------------------------===*/

bool tt_engine_init_common_verify(MlirOperation op) {
  MlirStringRef kind = tt_string(tt_engine_init_common_kind(op));
  bool copy = tt_str_eq(kind, "copy");
  if (!copy && !tt_str_eq(kind, "matmul") && !tt_str_eq(kind, "binary"))
    return tt_error(op, "(C1) kind is matmul, binary or copy, but this is '%.*s'",
                    (int)kind.length, kind.data);
  intptr_t inputs = tt_engine_init_common_num_inputs(op);
  if (inputs == (copy ? 1 : 2)) return true;
  return tt_error(op, "(C2) '%.*s' has %d input(s), but this has %jd", (int)kind.length, kind.data,
                  copy ? 1 : 2, (intmax_t)inputs);
}

bool tt_fpu_binary_init_verify(MlirOperation op) {
  MlirStringRef name = tt_string(tt_fpu_binary_init_op(op));
  if (tt_str_eq(name, "add") || tt_str_eq(name, "sub") || tt_str_eq(name, "mul")) return true;
  return tt_error(op, "(C1) op is add, sub or mul, but this is '%.*s'", (int)name.length,
                  name.data);
}

bool tt_sfpu_init_verify(MlirOperation op) {
  return verify_sfpu_name(op, "C1", tt_string(tt_sfpu_init_op(op))) != NULL;
}
