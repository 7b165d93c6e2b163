/*===- emit_call.c - a call of the API, with what an op gives it ------------------------------===
 *
 *   cb_wait_front($0, $1);          cb_wait_front(cb_in0, 4);
 *   fill_tile($0, $f);              fill_tile(0, 1.0f);
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emitter.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The bits of a scalar that is known at run time: arguments come as such. */
static const char *scalar_bits(TtEmitter *e, MlirOperation op) {
  MlirValue value = metalium_sfpu_scalar_tile_value(op);
  MlirAttribute limit = metalium_sfpu_scalar_tile_limit(op);
  const char *text = tt_emit_expression(e, value);
  if (!mlirTypeIsAIndex(mlirValueGetType(value))) return text;
  if (mlirAttributeIsNull(limit)) return tt_arena_printf(e->arena, "float_bits(%s)", text);
  return tt_arena_printf(e->arena, "float_bits(%s, %jd)", text, (intmax_t)tt_int(limit));
}

static const char *part_parameters(TtEmitter *e, MlirOperation op) {
  MlirAttribute steps = tt_op_attr(op, "steps");
  bool reads = metalium_noc_async_read_part_isa(op);
  int64_t bytes = tt_int(tt_op_attr(op, "bytes"));
  if (metalium_noc_async_read_rows_isa(op) || metalium_noc_async_write_rows_isa(op))
    return tt_arena_printf(e->arena, "%jd", (intmax_t)bytes);
  const char *type = bytes == 4 ? "uint32_t" : bytes == 2 ? "uint16_t" : "uint8_t";
  if (metalium_noc_async_read_run_isa(op)) return type;
  char *text = tt_arena_printf(e->arena, "%s, %jd", type,
                               (intmax_t)tt_int(tt_op_attr(op, reads ? "unit" : "width")));
  if (metalium_copy_part_isa(op) && !mlirAttributeIsNull(metalium_copy_part_flat(op)))
    text = tt_arena_printf(e->arena, "%s, %s", text,
                           mlirAttributeIsNull(metalium_copy_part_back(op)) ? "false" : "true");
  for (intptr_t i = 0; !reads && i < mlirDenseArrayGetNumElements(steps); ++i)
    text =
        tt_arena_printf(e->arena, "%s, %jd", text, (intmax_t)mlirDenseI64ArrayGetElement(steps, i));
  return text;
}

/* What letters stand for: $s, $f and $v scalars of an op, $t the width of DST, $d the same within
 * a name, $r and $c the
 * factors of indices, $w the word of a semaphore, $b the sides of a block, $k the tiles of a row of
 * it, $p what element a part
 * of a tile has, and how they lie in their block. */
static const char *fill_in_letter(TtEmitter *e, MlirOperation op, char letter) {
  if (letter == 'w') {
    const char *word = tt_emit_word(e, mlirOperationGetOperand(op, 0));
    return word ? word
                : tt_arena_printf(e->arena, "reinterpret_cast<volatile tt_l1_ptr uint32_t*>(%s)",
                                  tt_emit_expression(e, mlirOperationGetOperand(op, 0)));
  }
  if (letter == 'p') return part_parameters(e, op);
  if (letter == 'b')
    return tt_arena_printf(e->arena, "%jd, %jd, %jd", (intmax_t)tt_int(tt_op_attr(op, "ct")),
                           (intmax_t)tt_int(tt_op_attr(op, "rt")),
                           (intmax_t)tt_int(tt_op_attr(op, "kt")));
  if (letter == 'k')
    return tt_arena_printf(e->arena, "%jd", (intmax_t)tt_int(tt_op_attr(op, "ct")));
  if (letter == 'x') return tt_emit_reconfig_option(e);
  if (letter == 'v') return scalar_bits(e, op);
  if (letter == 'i') {
    int64_t bytes = tt_int(tt_op_attr(op, "bytes"));
    MlirAttribute plus = metalium_load_word_plus(op);
    if (!mlirAttributeIsNull(plus)) /* with signs */
      return tt_arena_printf(e->arena, "int%jd_t, %jd", (intmax_t)(8 * bytes),
                             (intmax_t)tt_int(plus));
    return bytes == 4 ? "uint32_t" : bytes == 2 ? "uint16_t" : "uint8_t";
  }
  if (letter == 'r' || letter == 'c')
    return tt_arena_printf(e->arena, "%jd",
                           (intmax_t)tt_int(tt_op_attr(op, letter == 'r' ? "rows" : "cols")));
  if (letter == 't')
    return tt_compute_config_attr_fp32_dest_acc(tt_kernel_config(e->func))
               ? "DataFormat::Float32"
               : "DataFormat::Float16_b";
  if (letter == 'd')
    return tt_compute_config_attr_fp32_dest_acc(tt_kernel_config(e->func)) ? "_fp32" : "";
  float value = (float)mlirFloatAttrGetValueDouble(tt_op_attr(op, "scalar"));
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (letter == 's') return tt_arena_printf(e->arena, "0x%08X", bits);
  if (isinf(value)) return value < 0 ? "-__builtin_inff()" : "__builtin_inff()";
  if (isnan(value)) return "__builtin_nanf(\"\")";
  char *text = tt_arena_printf(e->arena, "%.9g", (double)value);
  return tt_arena_printf(e->arena, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
}

/* Corner coordinate i of a rectangle: NoC 1 runs the other way, from its end to its start. */
static intptr_t corner(TtEmitter *e, intptr_t i) {
  return tt_kernel_noc_of(e->func) == 1 ? i ^ 2 : i;
}

const char *tt_emit_call(TtEmitter *e, MlirOperation op, const char *call) {
  TtText text = {NULL, 0, 0};
  for (const char *p = call; *p; ++p) {
    if (*p != '$') {
      tt_text_append(&text, p, 1);
    } else if (isalpha((unsigned char)p[1]) && p[1] != 'n') {
      const char *word = fill_in_letter(e, op, *++p);
      tt_text_append(&text, word, strlen(word));
    } else {
      bool turns = p[1] == 'n';
      intptr_t i = *(p += 1 + turns) - '0';
      if (turns) i = corner(e, i);
      const char *operand = i < mlirOperationGetNumOperands(op)
                                ? tt_emit_expression(e, mlirOperationGetOperand(op, i))
                                : "0";
      tt_text_append(&text, operand, strlen(operand));
    }
  }
  char *copy = tt_arena_str(e->arena, (MlirStringRef){text.data, text.n});
  tt_text_free(&text);
  return copy;
}

bool tt_emit_fills_words(TtEmitter *e, MlirOperation op) {
  return metalium_sfpu_scalar_tile_isa(op) &&
         metalium_sfpu_scalar_tile_op(op) == TT_SFPU_FILL_INT &&
         tt_target_of(e->program).chip->fills_step;
}
