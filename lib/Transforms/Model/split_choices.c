/*===- split_choices.c - --tt-split-choices --------------------------------------------------===
 *
 * An extreme and where it is, found in one go over a row, become two reductions: the extreme, and
 * the first place (the last, if equal ones replace) that has it. Each of them works on tiles.
 *
 *   before  %at, %most = linalg.generic {(i, j) -> (i, j), (i), (i)} ins(%x) outs(%none, %least) {
 *             %g = cmpf ogt, %in, %old   %j = index_cast (linalg.index 1)
 *             yield (select %g, %j, %old_at), (select %g, %in, %old) }
 *   after   %most = linalg.generic … ins(%x) outs(%least) { maxnumf }
 *           %first = linalg.generic … ins(%x, %most) outs(fill 2147483647) {
 *             minsi (select (cmpf oeq, %x, %most), %j, 2147483647), %old }
 *           %at = linalg.generic … { select (cmpi eq, %first, 2147483647), %none, %first }
 *
 * A row in which nothing is more than what it started from keeps the place that it started from.
 * NaN is the extreme where a comparison with it holds (ugt), and passed over where not (ogt).
 *
 * Requires linalg ops as linalg.generic. Leaves other reductions of several results as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Model/model.h"
#include "Transforms/Raise/inline_text.h"

#include <string.h>

typedef struct Choice {
  MlirOperation op;
  MlirBlock body;
  intptr_t extreme, place; /* which of the two results */
  int64_t loop;            /* the one that is summed over */
  bool integers, is_unsigned, max, last, takes_nan;
} Choice;

static MlirValue old_of(const Choice *c, intptr_t result) {
  return mlirBlockGetArgument(c->body, 1 + result);
}

static MlirValue element(const Choice *c) { return mlirBlockGetArgument(c->body, 0); }

static MlirValue yielded(const Choice *c, intptr_t result) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(c->body), result);
}

static bool takes(MlirOperation op, MlirValue a, MlirValue b) {
  return mlirOperationGetNumOperands(op) >= 2 && tt_value_eq(mlirOperationGetOperand(op, 0), a) &&
         tt_value_eq(mlirOperationGetOperand(op, 1), b);
}

/* What a comparison of an element with the old extreme asks for, by its predicate in arith. */
typedef struct Predicate {
  int64_t number; /* of element ? old */
  bool integers, is_unsigned, max, last, takes_nan;
} Predicate;

static const Predicate predicates[] = {
    {2, false, false, true, false, false},  /* ogt */
    {3, false, false, true, true, false},   /* oge */
    {4, false, false, false, false, false}, /* olt */
    {5, false, false, false, true, false},  /* ole */
    {9, false, false, true, false, true},   /* ugt */
    {10, false, false, true, true, true},   /* uge */
    {11, false, false, false, false, true}, /* ult */
    {12, false, false, false, true, true},  /* ule */
    {2, true, false, false, false, false},  /* slt */
    {3, true, false, false, true, false},   /* sle */
    {4, true, false, true, false, false},   /* sgt */
    {5, true, false, true, true, false},    /* sge */
    {6, true, true, false, false, false},   /* ult */
    {7, true, true, false, true, false},    /* ule */
    {8, true, true, true, false, false},    /* ugt */
    {9, true, true, true, true, false},     /* uge */
};

static bool read_comparison(Choice *c, MlirOperation compare) {
  bool integers = tt_op_is(compare, "arith.cmpi");
  if ((!integers && !tt_op_is(compare, "arith.cmpf")) ||
      !takes(compare, element(c), old_of(c, c->extreme)))
    return false;
  int64_t number = tt_int(tt_op_attr(compare, "predicate"));
  for (size_t i = 0; i < sizeof predicates / sizeof *predicates; ++i) {
    const Predicate *p = &predicates[i];
    if (p->integers != integers || p->number != number) continue;
    c->integers = integers, c->is_unsigned = p->is_unsigned, c->max = p->max, c->last = p->last;
    c->takes_nan = p->takes_nan;
    return true;
  }
  return false;
}

/* cmpf ord %old, %old: once NaN is chosen, it stays. */
static bool is_order_of_old(const Choice *c, MlirOperation op) {
  return tt_op_is(op, "arith.cmpf") && tt_int(tt_op_attr(op, "predicate")) == 7 &&
         takes(op, old_of(c, c->extreme), old_of(c, c->extreme));
}

static bool read_condition(Choice *c, MlirValue condition) {
  MlirOperation op = tt_defining_op(condition);
  if (!tt_op_is(op, "arith.andi")) return read_comparison(c, op) && !c->takes_nan;
  for (int i = 0; i < 2; ++i)
    if (is_order_of_old(c, tt_defining_op(mlirOperationGetOperand(op, 1 - i))))
      return read_comparison(c, tt_defining_op(mlirOperationGetOperand(op, i))) && c->takes_nan;
  return false;
}

/* `value` as a choice of `taken` by a condition, else the old value of `result`. */
static bool is_choice(const Choice *c, MlirValue value, intptr_t result, MlirValue *condition,
                      MlirValue *taken) {
  MlirOperation op = tt_defining_op(value);
  if (!tt_op_is(op, "arith.select") ||
      !tt_value_eq(mlirOperationGetOperand(op, 2), old_of(c, result)))
    return false;
  *condition = mlirOperationGetOperand(op, 0);
  *taken = mlirOperationGetOperand(op, 1);
  return true;
}

/* Whether `value` is the step of the loop that is summed over, as an integer of 32 bits or more. */
static bool is_step(const Choice *c, MlirValue value) {
  MlirOperation cast = tt_defining_op(value);
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) < 32) return false;
  if (!tt_op_is(cast, "arith.index_cast") && !tt_op_is(cast, "arith.index_castui")) return false;
  MlirOperation index = tt_defining_op(mlirOperationGetOperand(cast, 0));
  return tt_op_is(index, "linalg.index") && tt_int(tt_op_attr(index, "dim")) == c->loop;
}

/* Whether the extreme is the one that the comparison is of: chosen by it, or by an op of its own.
 */
static bool is_extreme(const Choice *c, MlirValue value, MlirValue condition) {
  MlirValue by, taken;
  if (is_choice(c, value, c->extreme, &by, &taken))
    return tt_value_eq(by, condition) && tt_value_eq(taken, element(c));
  MlirOperation op = tt_defining_op(value);
  static const char *const floats[2][2] = {{"arith.minimumf", "arith.minnumf"},
                                           {"arith.maximumf", "arith.maxnumf"}},
                           *const integers[2][2] = {{"arith.minsi", "arith.minui"},
                                                    {"arith.maxsi", "arith.maxui"}};
  for (int i = 0; i < 2; ++i)
    if (c->integers ? i == c->is_unsigned && tt_op_is(op, integers[c->max][i])
                    : tt_op_is(op, floats[c->max][i]))
      return takes(op, element(c), old_of(c, c->extreme)) ||
             takes(op, old_of(c, c->extreme), element(c));
  return false;
}

/* The only loop that is summed over, or -1. */
static int64_t summed_loop(MlirOperation op) {
  MlirAttribute kinds = tt_op_attr(op, "iterator_types");
  MlirAttribute sum = mlirAttributeParseGet(mlirOperationGetContext(op),
                                            tt_str("#linalg.iterator_type<reduction>"));
  int64_t loop = -1;
  for (intptr_t d = 0; d < mlirArrayAttrGetNumElements(kinds); ++d)
    if (mlirAttributeEqual(mlirArrayAttrGetElement(kinds, d), sum)) loop = loop < 0 ? d : -2;
  return loop;
}

/* Places are found in 32 bits, in a tensor of their own if they are wider then. */
static bool has_room(const Choice *c) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(c->op, 1 + c->place));
  return mlirIntegerTypeGetWidth(mlirShapedTypeGetElementType(type)) == 32 ||
         mlirShapedTypeHasStaticShape(type);
}

static bool read_choice(MlirOperation op, Choice *c) {
  if (tt_linalg_num_inputs(op) != 1 || mlirOperationGetNumOperands(op) != 3 ||
      mlirOperationGetNumResults(op) != 2)
    return false;
  for (int i = 0; i <= 2; ++i)
    if (!mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
  *c = (Choice){.op = op, .body = tt_body(op), .loop = summed_loop(op)};
  if (c->loop < 0) return false;
  for (c->place = 0; c->place < 2; ++c->place) {
    MlirValue condition, step;
    c->extreme = 1 - c->place;
    if (is_choice(c, yielded(c, c->place), c->place, &condition, &step) && is_step(c, step) &&
        read_condition(c, condition) && is_extreme(c, yielded(c, c->extreme), condition))
      return has_room(c);
  }
  return false;
}

/*===- Two reductions -------------------------------------------------------------------------===*/

static void to_text(MlirStringRef part, void *text) {
  tt_text_printf(text, "%.*s", (int)part.length, part.data);
}

static const char *attr_text(TtArena *arena, MlirAttribute attr) {
  TtText text = {NULL, 0, 0};
  mlirAttributePrint(attr, to_text, &text);
  const char *copy = tt_arena_str(arena, (MlirStringRef){text.data, text.n});
  tt_text_free(&text);
  return copy;
}

static const char *map_text(TtArena *arena, MlirOperation op, intptr_t i) {
  return attr_text(arena, mlirArrayAttrGetElement(tt_op_attr(op, "indexing_maps"), i));
}

/* How `n` loops are written, of which `sum` (-1: none) is summed over. */
static const char *kinds_text(TtArena *arena, intptr_t n, int64_t sum) {
  const char *text = "";
  for (intptr_t d = 0; d < n; ++d)
    text = tt_arena_printf(arena, "%s%s\"%s\"", text, d ? ", " : "",
                           d == sum ? "reduction" : "parallel");
  return tt_arena_printf(arena, "[%s]", text);
}

static const char *extreme_name(const Choice *c) {
  if (c->integers && c->is_unsigned) return c->max ? "maxui" : "minui";
  if (c->integers) return c->max ? "maxsi" : "minsi";
  if (c->takes_nan) return c->max ? "maximumf" : "minimumf";
  return c->max ? "maxnumf" : "minnumf";
}

/* As the head shows it; words after a $ stand for parts of the op. */
static const char form[] =
    "func.func @f(%x: $x, $arguments) -> ($results) {\n"
    "  %none = arith.constant $none : i32\n"
    "  %most = linalg.generic {indexing_maps = [$xmap, $mmap], iterator_types = $kinds}\n"
    "      ins(%x : $x) outs(%start : $m) {\n"
    "    ^bb0(%e: $element, %o: $element):\n"
    "      %r = arith.$extreme %e, %o : $element\n"
    "      linalg.yield %r : $element\n"
    "  } -> $m\n"
    "  $empty\n"
    "  %nowhere = linalg.fill ins(%none : i32) outs(%$room : $p) -> $p\n"
    "  %first = linalg.generic {indexing_maps = [$xmap, $mmap, $pmap], iterator_types = $kinds}\n"
    "      ins(%x, %most : $x, $m) outs(%nowhere : $p) {\n"
    "    ^bb0(%e: $element, %b: $element, %o: i32):\n"
    "      %i = linalg.index $loop : index\n"
    "      %j = arith.index_cast %i : index to i32\n"
    "      $here\n"
    "      %k = arith.select %here, %j, %none : i32\n"
    "      %r = arith.$side %k, %o : i32\n"
    "      linalg.yield %r : i32\n"
    "  } -> $p\n"
    "  %found = linalg.generic {indexing_maps = [$all, $all, $all], iterator_types = $parallel}\n"
    "      ins(%first, %at : $p, $result) outs(%at : $result) {\n"
    "    ^bb0(%a: i32, %s: $place, %o: $place):\n"
    "      %is = arith.cmpi eq, %a, %none : i32\n"
    "      $widen\n"
    "      %r = arith.select %is, %s, %$found : $place\n"
    "      linalg.yield %r : $place\n"
    "  } -> $result\n"
    "  return $returned : $results\n}\n";

typedef struct Word {
  const char *name, *text;
} Word;

/* `text` with words in their places. */
static const char *filled_in(TtArena *arena, const char *text, const Word *words, size_t n) {
  TtText out = {NULL, 0, 0};
  while (*text) {
    size_t plain = strcspn(text, "$"), length = 0;
    tt_text_append(&out, text, plain);
    text += plain;
    if (*text) ++text;
    while (text[length] >= 'a' && text[length] <= 'z') ++length;
    for (size_t i = 0; length && i < n; ++i)
      if (strlen(words[i].name) == length && memcmp(words[i].name, text, length) == 0)
        tt_text_printf(&out, "%s", words[i].text);
    text += length;
  }
  const char *copy = tt_arena_str(arena, (MlirStringRef){out.data, out.n});
  tt_text_free(&out);
  return copy;
}

static const char *type_text(TtArena *arena, MlirValue value, bool element) {
  MlirType type = mlirValueGetType(value);
  return tt_type_text(arena, element ? mlirShapedTypeGetElementType(type) : type);
}

/* The type of first places. */
static const char *places_text(TtArena *arena, MlirType type) {
  MlirType i32 = mlirIntegerTypeGet(mlirTypeGetContext(type), 32);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  return tt_type_text(arena, mlirRankedTensorTypeGet(rank, shape, i32, mlirAttributeGetNull()));
}

static const char *here_text(TtArena *arena, const Choice *c, const char *element) {
  if (!c->takes_nan)
    return tt_arena_printf(arena, "%%here = arith.%s, %%e, %%b : %s",
                           c->integers ? "cmpi eq" : "cmpf oeq", element);
  return tt_arena_printf(arena,
                         "%%is = arith.cmpf oeq, %%e, %%b : %s\n"
                         "      %%nan = arith.cmpf uno, %%e, %%e : %s\n"
                         "      %%here = arith.ori %%is, %%nan : i1",
                         element, element);
}

static const char *split_text(TtArena *arena, const Choice *c) {
  MlirOperation op = c->op;
  MlirValue x = mlirOperationGetOperand(op, 0), at = mlirOperationGetOperand(op, 1 + c->place),
            start = mlirOperationGetOperand(op, 1 + c->extreme);
  MlirType place = mlirValueGetType(at);
  bool first = c->place == 0,
       wide = mlirIntegerTypeGetWidth(mlirShapedTypeGetElementType(place)) > 32;
  intptr_t rank = mlirShapedTypeGetRank(place),
           loops = mlirArrayAttrGetNumElements(tt_op_attr(op, "iterator_types"));
  const char *m = type_text(arena, start, false), *result = type_text(arena, at, false),
             *element = type_text(arena, x, true), *number = type_text(arena, at, true),
             *places = places_text(arena, place);
  MlirAffineMap all = mlirAffineMapMultiDimIdentityGet(mlirOperationGetContext(op), rank);
  Word words[] = {
      {"x", type_text(arena, x, false)},
      {"m", m},
      {"p", places},
      {"result", result},
      {"element", element},
      {"place", number},
      {"arguments", first ? tt_arena_printf(arena, "%%at: %s, %%start: %s", result, m)
                          : tt_arena_printf(arena, "%%start: %s, %%at: %s", m, result)},
      {"results", first ? tt_arena_printf(arena, "%s, %s", result, m)
                        : tt_arena_printf(arena, "%s, %s", m, result)},
      {"returned", first ? "%found, %most" : "%most, %found"},
      {"none", c->last ? "-1" : "2147483647"},
      {"side", c->last ? "maxsi" : "minsi"},
      {"extreme", extreme_name(c)},
      {"xmap", map_text(arena, op, 0)},
      {"mmap", map_text(arena, op, 1 + c->extreme)},
      {"pmap", map_text(arena, op, 1 + c->place)},
      {"all", attr_text(arena, mlirAffineMapAttrGet(all))},
      {"kinds", kinds_text(arena, loops, c->loop)},
      {"parallel", kinds_text(arena, rank, -1)},
      {"loop", tt_arena_printf(arena, "%jd", (intmax_t)c->loop)},
      {"here", here_text(arena, c, element)},
      {"empty", wide ? tt_arena_printf(arena, "%%empty = tensor.empty() : %s", places) : ""},
      {"room", wide ? "empty" : "at"},
      {"widen", wide ? tt_arena_printf(arena, "%%w = arith.extsi %%a : i32 to %s", number) : ""},
      {"found", wide ? "w" : "a"},
  };
  return filled_in(arena, form, words, sizeof words / sizeof *words);
}

static bool split(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    Choice c;
    if (read_choice(ops.data[i], &c) && !tt_inline_text(arena, ops.data[i], split_text(arena, &c)))
      return tt_error(ops.data[i], "this choice of an extreme has no form as two reductions");
  }
  return true;
}

bool tt_run_split_choices(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, split);
}
