/*===- emit_ends.c - blocks that integers place, and the ends of tensors ----------------------===
 *
 *   tt.block_ends = [{dim = 0, ends = affine_map<(d0) -> (d0, d0 + 8)>, of = ["at"],
 *                     size = "cache_d0", tensor = "cache"}]
 *
 *       if (int64_t(at) < 0 || int64_t(at) + 8 > int64_t(cache_d0)) {
 *           std::fprintf(stderr, "append: a block of cache goes from %jd to %jd along dimension 0,
 * " "which has %jd\\n", …); std::exit(1);
 *       }
 *
 * The device would find whole tiles that are outside, but not what ends in the last one.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "mlir-c/AffineExpr.h"

#include <string.h>

static MlirAttribute field(MlirAttribute note, const char *name) {
  return mlirDictionaryAttrGetElementByName(note, tt_str(name));
}

/* The variable of an integer that the program takes; NULL where it does not take it. */
static const char *variable(const TtHost *h, MlirAttribute name) {
  for (intptr_t i = 0; i < h->num_args; ++i)
    if (h->tensors.data[i].scalar && tt_str_eq(tt_string(name), h->tensors.data[i].name))
      return h->buffers[i];
  return NULL;
}

/* An expression over them, in C++, of 64 bits. */
static const char *in_cpp(TtHost *h, MlirAffineExpr e, MlirAttribute of) {
  if (mlirAffineExprIsAConstant(e))
    return tt_arena_printf(h->arena, "%jd", (intmax_t)mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e))
    return tt_arena_printf(
        h->arena, "int64_t(%s)",
        variable(h, mlirArrayAttrGetElement(of, mlirAffineDimExprGetPosition(e))));
  const char *x = in_cpp(h, mlirAffineBinaryOpExprGetLHS(e), of),
             *y = in_cpp(h, mlirAffineBinaryOpExprGetRHS(e), of);
  if (mlirAffineExprIsAAdd(e)) return tt_arena_printf(h->arena, "%s + %s", x, y);
  if (mlirAffineExprIsACeilDiv(e)) return tt_arena_printf(h->arena, "(%s + %s - 1) / %s", x, y, y);
  return tt_arena_printf(h->arena, "(%s) %s %s", x,
                         mlirAffineExprIsAMul(e)   ? "*"
                         : mlirAffineExprIsAMod(e) ? "%"
                                                   : "/",
                         y);
}

/* What the dimension has; NULL where the program has no such size any more. */
static const char *size_of(TtHost *h, MlirAttribute size) {
  if (mlirAttributeIsAInteger(size))
    return tt_arena_printf(h->arena, "%jd", (intmax_t)tt_int(size));
  return tt_host_dim(h, tt_arena_str(h->arena, tt_string(size)));
}

static void emit(TtHost *h, MlirAttribute note) {
  MlirAttribute of = field(note, "of");
  MlirAffineMap ends = mlirAffineMapAttrGetValue(field(note, "ends"));
  const char *size = size_of(h, field(note, "size"));
  if (!size) return;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(of); ++i)
    if (!variable(h, mlirArrayAttrGetElement(of, i))) return;
  const char *from = in_cpp(h, mlirAffineMapGetResult(ends, 0), of),
             *to = in_cpp(h, mlirAffineMapGetResult(ends, 1), of);
  MlirStringRef tensor = tt_string(field(note, "tensor"));
  tt_text_printf(h->out,
                 "    if (%s < 0 || %s > int64_t(%s)) {\n"
                 "        std::fprintf(stderr, \"%s: a block of %.*s goes from %%jd to %%jd along "
                 "dimension %jd, which has %%jd\\n\",\n"
                 "                     intmax_t(%s), intmax_t(%s), intmax_t(%s));\n"
                 "        std::exit(1);\n"
                 "    }\n",
                 from, to, size, tt_arena_identifier(h->arena, tt_symbol_name(h->program)),
                 (int)tensor.length, tensor.data, (intmax_t)tt_int(field(note, "dim")), from, to,
                 size);
}

void tt_emit_block_ends(TtHost *h) {
  MlirAttribute all = tt_get_attr(h->program, "tt.block_ends");
  for (intptr_t i = 0; !mlirAttributeIsNull(all) && i < mlirArrayAttrGetNumElements(all); ++i)
    emit(h, mlirArrayAttrGetElement(all, i));
}
