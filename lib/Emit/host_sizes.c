/*===- host_sizes.c - sizes of tensors in a host program --------------------------------------===
 *
 *   main A.bin B.bin C.bin 100 64 70
 *
 *   const uint32_t A_d0 = read_size(argv[4]);      one number for each dynamic dimension,
 *   const uint32_t C_d0 = A_d0;                    but for those that are equal to an earlier one
 *
 * Constant sizes are written as numbers.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Emit/emit_host.h"

#include <string.h>

bool tt_is_dynamic(const TtTensor *t) {
  return !t->scalar && !mlirShapedTypeHasStaticShape(t->type);
}

static intptr_t find(const TtHost *h, const char *name, size_t n) {
  for (intptr_t i = 0; i < h->dims.n; ++i)
    if (strlen(h->dims.names[i]) == n && memcmp(h->dims.names[i], name, n) == 0) return i;
  return -1;
}

/* Joins the classes of "A_d0=B_d0". */
static void join(TtHost *h, MlirStringRef equality) {
  const char *sign = memchr(equality.data, '=', equality.length);
  if (!sign) return;
  intptr_t a = find(h, equality.data, (size_t)(sign - equality.data)),
           b = find(h, sign + 1, equality.length - (size_t)(sign + 1 - equality.data));
  if (a < 0 || b < 0) return;
  intptr_t from = h->dims.same[a], to = h->dims.same[b];
  if (from < to) from = h->dims.same[b], to = h->dims.same[a];
  for (intptr_t i = 0; i < h->dims.n; ++i)
    if (h->dims.same[i] == from) h->dims.same[i] = to;
}

void tt_name_host_dims(TtHost *h) {
  intptr_t most = 0;
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    if (!h->tensors.data[i].scalar) most += mlirShapedTypeGetRank(h->tensors.data[i].type);
  h->dims.names = tt_arena_alloc(h->arena, (size_t)(most + 1) * sizeof *h->dims.names);
  h->dims.variables = tt_arena_alloc(h->arena, (size_t)(most + 1) * sizeof *h->dims.variables);
  h->dims.same = tt_arena_alloc(h->arena, (size_t)(most + 1) * sizeof *h->dims.same);
  h->dims.n = 0;
  for (intptr_t i = 0; i < h->num_args; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    for (intptr_t d = 0; !t->scalar && d < mlirShapedTypeGetRank(t->type); ++d) {
      if (!mlirShapedTypeIsDynamicDim(t->type, d)) continue;
      h->dims.names[h->dims.n] = tt_dim_name(h->arena, t->name, d);
      h->dims.variables[h->dims.n] = tt_names_take(&h->names, h->dims.names[h->dims.n]);
      h->dims.same[h->dims.n] = h->dims.n;
      ++h->dims.n;
    }
  }
  h->dims.given = h->dims.n;
  MlirAttribute equal = tt_get_attr(h->program, "tt.equal_dims");
  for (intptr_t i = 0; !mlirAttributeIsNull(equal) && i < mlirArrayAttrGetNumElements(equal); ++i)
    join(h, tt_string(mlirArrayAttrGetElement(equal, i)));
}

intptr_t tt_num_free_dims(TtHost *h) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < h->dims.given; ++i) n += h->dims.same[i] == i;
  return n;
}

const char *tt_free_dim(TtHost *h, intptr_t at) {
  for (intptr_t i = 0; i < h->dims.given; ++i)
    if (h->dims.same[i] == i && at-- == 0) return h->dims.variables[i];
  return "";
}

void tt_add_host_dim(TtHost *h, const char *tensor, intptr_t dim, const char *variable) {
  h->dims.names[h->dims.n] = tt_dim_name(h->arena, tensor, dim);
  h->dims.variables[h->dims.n] = variable;
  h->dims.same[h->dims.n] = h->dims.n;
  ++h->dims.n;
}

const char *tt_host_dim(TtHost *h, const char *name) {
  intptr_t i = find(h, name, strlen(name));
  return i < 0 ? NULL : h->dims.variables[i];
}

void tt_emit_dims(TtHost *h) {
  intptr_t number = h->num_args + 1;
  if (h->dims.n > 0) tt_text_printf(h->out, "    // Sizes of tensors, in elements.\n");
  for (intptr_t i = 0; i < h->dims.n; ++i) {
    if (h->dims.same[i] == i)
      tt_text_printf(h->out, "    const uint32_t %s = read_size(argv[%jd]);\n",
                     h->dims.variables[i], (intmax_t)number++);
    else
      tt_text_printf(h->out, "    const uint32_t %s = %s;\n", h->dims.variables[i],
                     h->dims.variables[h->dims.same[i]]);
  }
}

/*===- Values of a host function --------------------------------------------------------------===*/

/* A dimension of a view: those of its group in what it views are multiplied, or the others of its
 * group divide that of what it views. */
static const char *view_size(TtHost *h, MlirOperation view, intptr_t d) {
  MlirValue from = mlirOperationGetOperand(view, 0);
  if (tt_op_is(view, "memref.cast")) return tt_host_size(h, from, d);
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  MlirAttribute groups = tt_op_attr(view, "reassociation");
  if (tt_op_is(view, "memref.collapse_shape")) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, d);
    const char *text = "";
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i)
      text = tt_arena_printf(
          h->arena, "%s%s%s", text, i ? " * " : "(",
          tt_host_size(h, from, (intptr_t)tt_int(mlirArrayAttrGetElement(group, i))));
    return tt_arena_printf(h->arena, "%s)", text);
  }
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    bool has = false;
    int64_t others = 1;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
      intptr_t at = (intptr_t)tt_int(mlirArrayAttrGetElement(group, i));
      if (at == d) has = true;
      else others *= mlirShapedTypeGetDimSize(type, at);
    }
    if (!has) continue;
    const char *whole = tt_host_size(h, from, g);
    return others == 1 ? whole : tt_arena_printf(h->arena, "(%s / %jd)", whole, (intmax_t)others);
  }
  return "";
}

const char *tt_host_size(TtHost *h, MlirValue value, intptr_t d) {
  MlirType type = mlirValueGetType(value);
  if (!mlirShapedTypeIsDynamicDim(type, d))
    return tt_arena_printf(h->arena, "%jd", (intmax_t)mlirShapedTypeGetDimSize(type, d));
  intptr_t i = tt_host_tensor(&h->host_values, value);
  if (h->host_values.data[i].kind == TT_HOST_CARRIED) {
    MlirOperation loop = mlirValueIsABlockArgument(value)
                             ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                             : tt_defining_op(value);
    intptr_t at = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetArgNumber(value) - 1
                                                   : mlirOpResultGetResultNumber(value);
    return tt_host_size(h, mlirOperationGetOperand(loop, 3 + at), d);
  }
  if (!mlirValueIsABlockArgument(value) && tt_is_host_view(tt_defining_op(value)))
    return view_size(h, tt_defining_op(value), d);
  return tt_host_dim(h, tt_dim_name(h->arena, h->tensors.data[i].name, d));
}

/*===- Expressions ---------------------------------------------------------------------------===*/

static const char *dim(TtHost *h, const TtTensor *t, intptr_t d) {
  if (!mlirShapedTypeIsDynamicDim(t->type, d))
    return tt_arena_printf(h->arena, "%jd", (intmax_t)mlirShapedTypeGetDimSize(t->type, d));
  return tt_host_dim(h, tt_dim_name(h->arena, t->name, d));
}

static TtSides constant_sides(TtHost *h, MlirType type) {
  TtMatrices m = tt_matrices(type);
  return (TtSides){
      tt_arena_printf(h->arena, "%jd", (intmax_t)m.count),
      tt_arena_printf(h->arena, "%jd", (intmax_t)m.rows),
      tt_arena_printf(h->arena, "%jd", (intmax_t)m.cols),
      tt_arena_printf(h->arena, "%jd", (intmax_t)(m.count * tt_tiles(m.rows) * TT_TILE)),
      tt_arena_printf(h->arena, "%jd", (intmax_t)(tt_tiles(m.cols) * TT_TILE)),
      tt_arena_printf(h->arena, "%jd", (intmax_t)(m.count * tt_tiles(m.rows))),
      tt_arena_printf(h->arena, "%jd", (intmax_t)tt_tiles(m.cols)),
      tt_arena_printf(h->arena, "%jd", (intmax_t)tt_tensor_tiles(type))};
}

TtSides tt_host_sides(TtHost *h, const TtTensor *t) {
  if (!tt_is_dynamic(t)) return constant_sides(h, t->type);
  intptr_t rank = mlirShapedTypeGetRank(t->type);
  TtSides s = {.count = "1", .rows = "1", .cols = dim(h, t, rank - 1)};
  if (rank > 1) s.rows = dim(h, t, rank - 2);
  for (intptr_t d = 0; d + 2 < rank; ++d)
    s.count = d == 0 ? dim(h, t, d) : tt_arena_printf(h->arena, "%s * %s", s.count, dim(h, t, d));
  const char *times = strcmp(s.count, "1") == 0 ? "" : tt_arena_printf(h->arena, "%s * ", s.count);
  s.tile_rows = tt_arena_printf(h->arena, "%stiles_of(%s)", times, s.rows);
  s.tile_cols = tt_arena_printf(h->arena, "tiles_of(%s)", s.cols);
  s.padded_rows = tt_arena_printf(h->arena, "%s * 32", s.tile_rows);
  s.padded_cols = tt_arena_printf(h->arena, "%s * 32", s.tile_cols);
  s.tiles = tt_arena_printf(h->arena, "%s * %s", s.tile_rows, s.tile_cols);
  return s;
}

static const char *affine(TtHost *h, MlirAffineExpr e, MlirAttribute symbols) {
  if (mlirAffineExprIsAConstant(e))
    return tt_arena_printf(h->arena, "%jd", (intmax_t)mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e)) {
    MlirAttribute name = mlirArrayAttrGetElement(symbols, mlirAffineDimExprGetPosition(e));
    return tt_host_dim(h, tt_arena_str(h->arena, tt_string(name)));
  }
  const char *x = affine(h, mlirAffineBinaryOpExprGetLHS(e), symbols),
             *y = affine(h, mlirAffineBinaryOpExprGetRHS(e), symbols);
  if (mlirAffineExprIsACeilDiv(e)) return tt_arena_printf(h->arena, "(%s + %s - 1) / %s", x, y, y);
  const char *sign = mlirAffineExprIsAAdd(e)   ? "+"
                     : mlirAffineExprIsAMul(e) ? "*"
                     : mlirAffineExprIsAMod(e) ? "%"
                                               : "/";
  return tt_arena_printf(h->arena, "(%s) %s (%s)", x, sign, y);
}

const char *tt_host_affine(TtHost *h, MlirAffineMap map, MlirAttribute symbols, intptr_t i) {
  return affine(h, mlirAffineMapGetResult(map, i), symbols);
}

void tt_emit_least_sizes(TtHost *h) {
  MlirAttribute all = tt_get_attr(h->program, "tt.least_sizes");
  for (intptr_t i = 0; !mlirAttributeIsNull(all) && i < mlirArrayAttrGetNumElements(all); ++i) {
    int64_t least;
    const char *size =
        tt_host_dim(h, tt_least_size(h->arena, mlirArrayAttrGetElement(all, i), &least));
    if (!size) continue;
    tt_text_printf(h->out,
                   "    if (%s < %jd) {\n"
                   "        std::fprintf(stderr, \"%s: %s is %%u, and must be at least %jd, where "
                   "a block ends\\n\", %s);\n"
                   "        std::exit(1);\n"
                   "    }\n",
                   size, (intmax_t)least, tt_arena_identifier(h->arena, tt_symbol_name(h->program)),
                   size, (intmax_t)least, size);
  }
}
