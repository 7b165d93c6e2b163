/*===- stream_text.c - attention over blocks of keys, as text --------------------------------===
 *
 * What --tt-stream-softmax puts in the place of attention (stream_softmax.c shows it). Types have a
 * size where all blocks have it, and `?` where the last one may have less.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/stream_text.h"

#include <string.h>

#define SAY(...) tt_text_printf(&w->out, __VA_ARGS__)

static const char *number(TtStreamText *w, int64_t n) {
  return tt_arena_printf(w->arena, "%jd", (intmax_t)n);
}

static void say_extent(TtStreamText *w, const char *from, MlirValue tensor, MlirAffineMap map,
                       intptr_t name) {
  intptr_t r;
  tt_stream_extent(w, tensor, map, name, &r);
  SAY("%%d%jd = arith.constant %jd : index\n", (intmax_t)name, (intmax_t)r);
  SAY("%%n%jd = tensor.dim %%%s, %%d%jd : %s\n", (intmax_t)name, from, (intmax_t)name,
      tt_stream_type(w, tensor));
}

/*===- What computes -------------------------------------------------------------------------===*/

#define ROW "affine_map<(d0) -> (d0)>"
#define OF_ROW "affine_map<(d0, d1) -> (d0)>"
#define ALL "affine_map<(d0, d1) -> (d0, d1)>"
#define PARALLEL ", \"parallel\""
#define SUMMED ", \"reduction\""
#define YIELD "linalg.yield %r : f32\n"
#define LARGER "%r = arith.maximumf %x, %y : f32\n" YIELD
#define EXP_LESS "%d = arith.subf %x, %y : f32\n%r = math.exp %d : f32\n" YIELD
#define TIMES "%r = arith.mulf %x, %y : f32\n" YIELD

/* A generic: `of` is what it is of in the model. `loops` are those behind the first. */
static void generic(TtStreamText *w, const char *name, const char *of, const char *maps,
                    const char *loops, const char *ins, const char *out, const char *type,
                    const char *body) {
  SAY("%%%s = linalg.generic {indexing_maps = [%s], iterator_types = [\"parallel\"%s]} ins(%s) "
      "outs(%%%s : %s) attrs = {of = \"%s\"} {\n%s} -> %s\n",
      name, maps, loops, ins, out, type, of, body, type);
}

/* "%a, %b : t, t" and the like */
static const char *both(TtStreamText *w, const char *a, const char *b, const char *s,
                        const char *t) {
  return tt_arena_printf(w->arena, "%%%s, %%%s : %s, %s", a, b, s, t);
}

/* A tensor `e_NAME` without values, and NAME filled with `value`. */
static void fill(TtStreamText *w, const char *name, const char *value, const char *sizes,
                 const char *type) {
  SAY("%%e_%s = tensor.empty(%s) : %s\n", name, sizes, type);
  SAY("%%%s = linalg.fill {of = \"fill\"} ins(%%%s : f32) outs(%%e_%s : %s) -> %s\n", name, value,
      name, type, type);
}

/* The sizes of a block that a type does not have. */
static const char *open(TtStreamText *w, bool keys) {
  bool r = *w->row_type == '?', k = keys && *w->key_type == '?';
  return tt_arena_printf(w->arena, "%s%s%s", r ? w->rows : "", r && k ? ", " : "",
                         k ? w->keys : "");
}

/* The maps of a product of operands `i` = 0 and 1 in a block. */
static const char *product_maps(TtStreamText *w, MlirOperation op, const intptr_t *names,
                                intptr_t score, const char *out) {
  const char *maps = "";
  for (intptr_t i = 0; i < 2; ++i)
    maps =
        tt_arena_printf(w->arena, "%saffine_map<(d0, d1, d2) -> (%s)>, ", maps,
                        i == score ? "d0, d1"
                                   : tt_stream_list(w, mlirOperationGetOperand(op, i),
                                                    tt_indexing_map(op, i), names, TT_STREAM_LOOP));
  return tt_arena_printf(w->arena, "[%saffine_map<(d0, d1, d2) -> (%s)>]", maps, out);
}

static void product(TtStreamText *w, const char *q, const char *k) {
  const TtStream *s = w->s;
  bool first = s->q == 0;
  fill(w, "s0", "zero", open(w, true), w->block);
  SAY("%%s = linalg.contract indexing_maps = %s {of = \"product\"} ins(%s) outs(%%s0 : %s) "
      "-> %s\n",
      product_maps(w, s->product, s->first, -1, "d0, d1"),
      both(w, first ? "q_b" : "k_b", first ? "k_b" : "q_b", first ? q : k, first ? k : q), w->block,
      w->block);
}

/* The numbers of the loops of the model's op, behind what `names` and `types` have. */
static void say_indices(TtStreamText *w, const char **names, const char **types) {
  const TtStream *s = w->s;
  SAY("%%l0 = linalg.index 0 : index\n%%l1 = linalg.index 1 : index\n"
      "%%i%jd = arith.addi %%l0, %%row : index\n%%i%jd = arith.addi %%l1, %%key : index\n",
      (intmax_t)s->row, (intmax_t)(s->rank - 1));
  for (intptr_t d = 0; d < s->rank; ++d) {
    bool own = d == s->row || d == s->rank - 1;
    *names = tt_arena_printf(w->arena, "%s, %%%s%jd", *names, own ? "i" : "h", (intmax_t)d);
    *types = tt_arena_printf(w->arena, "%s, index", *types);
  }
}

/* What the model computes of the scores: its name. */
static const char *mapped(TtStreamText *w) {
  static const intptr_t same[TT_STREAM_RANK] = {0, 1, 2, 3, 4, 5};
  const TtStream *s = w->s;
  const char *of = tt_stream_element(w, mlirOperationGetResult(s->product, 0)),
             *to = tt_stream_element(w, s->scores);
  bool narrow = strcmp(of, "f32") != 0, wide = strcmp(to, "f32") != 0;
  if (mlirOperationIsNull(s->map) && !narrow) return "s";
  const char *ins = "%s", *types = w->block, *maps = ALL ", ", *args = "%x: f32",
             *names = narrow ? "%xn" : "%x", *body = of;
  intptr_t n = mlirOperationIsNull(s->map) ? 0 : tt_linalg_num_inputs(s->map);
  for (intptr_t i = 0; i < n; ++i) {
    if (i == s->from) continue;
    MlirValue x = mlirOperationGetOperand(s->map, i);
    MlirAffineMap map = tt_indexing_map(s->map, i);
    const char *name = tt_arena_printf(w->arena, "x%jd", (intmax_t)i);
    types = tt_arena_printf(w->arena, "%s, %s", types, tt_stream_slice(w, name, x, map, same));
    ins = tt_arena_printf(w->arena, "%s, %%%s_b", ins, name);
    args = tt_arena_printf(w->arena, "%s, %%in%jd: %s", args, (intmax_t)i, tt_stream_element(w, x));
    names = tt_arena_printf(w->arena, "%s, %%in%jd", names, (intmax_t)i);
    body = tt_arena_printf(w->arena, "%s, %s", body, tt_stream_element(w, x));
    maps = tt_arena_printf(w->arena, "%saffine_map<(d0, d1) -> (%s)>, ", maps,
                           tt_stream_list(w, x, map, same, TT_STREAM_LOOP));
  }
  SAY("%%e_t = tensor.empty(%s) : %s\n"
      "%%t = linalg.generic {indexing_maps = [%s" ALL "], iterator_types = [\"parallel\"" PARALLEL
      "]} ins(%s : %s) outs(%%e_t : %s) attrs = {of = \"map\"} {\n^bb0(%s, %%o: f32):\n",
      open(w, true), w->block, maps, ins, types, w->block, args);
  if (narrow) SAY("%%xn = arith.truncf %%x : f32 to %s\n", of);
  say_indices(w, &names, &body);
  SAY("%%y = builtin.unrealized_conversion_cast %s : %s to %s {body = \"map\"}\n", names, body, to);
  if (wide) SAY("%%z = arith.extf %%y : %s to f32\n", to);
  SAY("linalg.yield %%%s : f32\n} -> %s\n", wide ? "z" : "y", w->block);
  return "t";
}

/* Largest scores, exponentials and their sums, of which those of the blocks before are scaled; the
 * name and the type of the weights. */
static const char *softmax(TtStreamText *w, const char *t, const char **type) {
  const char *element = tt_stream_element(w, mlirOperationGetOperand(w->s->last, w->s->p)),
             *in = tt_arena_printf(w->arena, "%%%s : %s", t, w->block);
  fill(w, "b0", "lowest", open(w, false), w->stats);
  generic(w, "b", "most", ALL ", " OF_ROW, SUMMED, in, "b0", w->stats,
          "^bb0(%x: f32, %y: f32):\n" LARGER);
  SAY("%%e_f = tensor.empty(%s) : %s\n%%e_e = tensor.empty(%s) : %s\n", open(w, false), w->stats,
      open(w, true), w->block);
  generic(w, "f", "exps", ROW ", " ROW ", " ROW, "", both(w, "m", "b", w->stats, w->stats), "e_f",
          w->stats,
          "^bb0(%x: f32, %z: f32, %o: f32):\n%y = arith.maximumf %x, %z : f32\n" EXP_LESS);
  generic(w, "m2", "most", ROW ", " ROW, "", tt_arena_printf(w->arena, "%%b : %s", w->stats), "m",
          w->stats, "^bb0(%x: f32, %y: f32):\n" LARGER);
  generic(w, "e", "exps", ALL ", " OF_ROW ", " ALL, PARALLEL, both(w, t, "m2", w->block, w->stats),
          "e_e", w->block, "^bb0(%x: f32, %y: f32, %o: f32):\n" EXP_LESS);
  generic(w, "lf", "sum", ROW ", " ROW, "", tt_arena_printf(w->arena, "%%f : %s", w->stats), "l",
          w->stats, "^bb0(%x: f32, %y: f32):\n" TIMES);
  generic(w, "l2", "sum", ALL ", " OF_ROW, SUMMED, tt_arena_printf(w->arena, "%%e : %s", w->block),
          "lf", w->stats, "^bb0(%x: f32, %y: f32):\n%r = arith.addf %x, %y : f32\n" YIELD);
  *type = w->block;
  if (strcmp(element, "f32") == 0) return "e";
  *type = tt_arena_printf(w->arena, "tensor<%sx%sx%s>", w->row_type, w->key_type, element);
  SAY("%%e_p = tensor.empty(%s) : %s\n", open(w, true), *type);
  generic(w, "p", "norm", ALL ", " ALL, PARALLEL, tt_arena_printf(w->arena, "%%e : %s", w->block),
          "e_p", *type,
          tt_arena_printf(w->arena,
                          "^bb0(%%x: f32, %%o: %s):\n%%r = arith.truncf %%x : f32 to %s\n"
                          "linalg.yield %%r : %s\n",
                          element, element, element));
  return "p";
}

/* The row of a block of the result: its first dimension there, or its second. */
static const char *row_map(TtStreamText *w) {
  const char *loops = tt_stream_list(w, w->o, w->os, w->s->second, TT_STREAM_LOOP);
  return loops[1] == '0' ? "affine_map<(d0, d1) -> (d0)>" : "affine_map<(d0, d1) -> (d1)>";
}

static void weigh(TtStreamText *w, const char *p, const char *type, const char *v) {
  const TtStream *s = w->s;
  bool first = s->p == 0;
  generic(w, "af", "last", tt_arena_printf(w->arena, "%s, " ALL, row_map(w)), PARALLEL,
          tt_arena_printf(w->arena, "%%f : %s", w->stats), "a", w->sums,
          "^bb0(%x: f32, %y: f32):\n" TIMES);
  SAY("%%a2 = linalg.contract indexing_maps = %s {of = \"last\"} ins(%s) outs(%%af : %s) -> "
      "%s\n",
      product_maps(w, s->last, s->second, s->p,
                   tt_stream_list(w, w->o, w->os, s->second, TT_STREAM_LOOP)),
      both(w, first ? p : "v_b", first ? "v_b" : p, first ? type : v, first ? v : type), w->sums,
      w->sums);
}

/*===- The grid ------------------------------------------------------------------------------===*/

static void say_arguments(TtStreamText *w, const char *result) {
  const TtStream *s = w->s;
  SAY("func.func @f(%%q: %s, %%k: %s, %%v: %s", tt_stream_type(w, w->q), tt_stream_type(w, w->k),
      tt_stream_type(w, w->v));
  bool maps = !mlirOperationIsNull(s->map);
  for (intptr_t i = 0; maps && i < tt_linalg_num_inputs(s->map); ++i)
    if (i != s->from)
      SAY(", %%x%jd: %s", (intmax_t)i, tt_stream_type(w, mlirOperationGetOperand(s->map, i)));
  SAY(") -> %s {\n", result);
}

/* A block of `size` elements along an extent: its size, as a value and in types. */
static void choose_size(TtStreamText *w, int64_t extent, int64_t size, const char *value,
                        const char **is, const char **type) {
  *is = extent > 0 && extent % size == 0 ? number(w, size) : value;
  *type = **is == '%' ? "?" : *is;
}

/* What cells have: batches, of which the outer ones are one where there are many, and rows. */
static void say_grid(TtStreamText *w, const char *open_sizes, const char *type) {
  const TtStream *s = w->s;
  intptr_t batches[TT_STREAM_RANK], n = 0, joined = 0;
  for (intptr_t d = 0; d < s->rank - 1; ++d)
    if (d != s->row) batches[n++] = d;
  if (n > 2) joined = n - 1;
  w->dims = (joined ? n - joined + 1 : n) + 1;
  const char *cells = "", *sizes = "";
  for (intptr_t i = 1; i < joined; ++i)
    SAY("%%p%jd = arith.muli %%%s%jd, %%n%jd : index\n", (intmax_t)i, i == 1 ? "n" : "p",
        (intmax_t)(i == 1 ? batches[0] : i - 1), (intmax_t)batches[i]);
  if (joined) cells = "%c, ", sizes = tt_arena_printf(w->arena, "%%p%jd, ", (intmax_t)(joined - 1));
  for (intptr_t i = joined; i < n; ++i) {
    cells = tt_arena_printf(w->arena, "%s%%h%jd, ", cells, (intmax_t)batches[i]);
    sizes = tt_arena_printf(w->arena, "%s%%n%jd, ", sizes, (intmax_t)batches[i]);
  }
  SAY("%%blocks = affine.apply affine_map<()[s0] -> (s0 ceildiv %jd)>()[%%n%jd]\n",
      (intmax_t)w->queries, (intmax_t)s->row);
  SAY("%%empty = tensor.empty(%s) : %s\n"
      "%%r = scf.forall (%s%%i) in (%s%%blocks) shared_outs(%%result = %%empty) -> (%s) {\n",
      open_sizes, type, cells, sizes, type);
  for (intptr_t i = joined; i-- > 0;) { /* the last one first */
    const char *rest = i == joined - 1 ? "c" : tt_arena_printf(w->arena, "c%jd", (intmax_t)i + 1);
    if (i == 0)
      SAY("%%h%jd = affine.apply affine_map<(d0) -> (d0)>(%%%s)\n", (intmax_t)batches[0], rest);
    else
      SAY("%%h%jd = arith.remui %%%s, %%n%jd : index\n%%c%jd = arith.divui %%%s, %%n%jd : "
          "index\n",
          (intmax_t)batches[i], rest, (intmax_t)batches[i], (intmax_t)i, rest,
          (intmax_t)batches[i]);
  }
  SAY("%%row = affine.apply affine_map<(d0) -> (d0 * %jd)>(%%i)\n", (intmax_t)w->queries);
  if (*w->rows == '%')
    SAY("%%rows = affine.min affine_map<(d0)[s0] -> (-d0 + s0, %jd)>(%%row)[%%n%jd]\n",
        (intmax_t)w->queries, (intmax_t)s->row);
}

/* The heads that several ones read together, in keys and in values: once where it is the same. */
static void say_shared(TtStreamText *w) {
  const TtStream *s = w->s;
  int64_t known[2 * TT_STREAM_RANK][2], divisor;
  intptr_t n = 0;
  for (int v = 0; v < 2; ++v) {
    MlirAffineMap map = v ? w->vs : w->ks;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map) && n < 2 * TT_STREAM_RANK; ++r) {
      intptr_t loop = tt_stream_loop(map, r, &divisor), name = (v ? s->second : s->first)[loop],
               i = 0;
      while (i < n && (known[i][0] != name || known[i][1] != divisor)) ++i;
      if (divisor == 1 || i < n) continue;
      known[n][0] = name, known[n++][1] = divisor;
      SAY("%%g%jd_%jd = affine.apply affine_map<(d0) -> (d0 floordiv %jd)>(%%%s)\n", (intmax_t)name,
          (intmax_t)divisor, (intmax_t)divisor,
          name == s->row ? "row" : tt_arena_printf(w->arena, "h%jd", (intmax_t)name));
    }
  }
}

/* The sizes of the result that are open. */
static const char *open_sizes(TtStreamText *w) {
  const char *text = "";
  for (intptr_t r = 0; r < mlirShapedTypeGetRank(mlirValueGetType(w->o)); ++r)
    if (mlirShapedTypeIsDynamicDim(mlirValueGetType(w->o), r))
      text = tt_arena_printf(w->arena, "%s%s%%n%jd", text, *text ? ", " : "",
                             (intmax_t)w->s->second[tt_map_loop(w->os, r)]);
  return text;
}

static void say_loop(TtStreamText *w) {
  const TtStream *s = w->s;
  fill(w, "m0", "lowest", open(w, false), w->stats);
  fill(w, "l0s", "zero", open(w, false), w->stats);
  fill(w, "a0", "zero", open(w, false), w->sums);
  SAY("%%s3:3 = scf.for %%key = %%c0 to %%n%jd step %%step iter_args(%%m = %%m0, %%l = %%l0s, "
      "%%a = %%a0) -> (%s, %s, %s) {\n",
      (intmax_t)(s->rank - 1), w->stats, w->stats, w->sums);
  if (*w->keys == '%')
    SAY("%%keys = affine.min affine_map<(d0)[s0] -> (-d0 + s0, %d)>(%%key)[%%n%jd]\n",
        TT_STREAM_KEYS, (intmax_t)(s->rank - 1));
}

/* The sums over the sums of weights, and what takes these. */
static void say_end(TtStreamText *w, const char *result) {
  const TtStream *s = w->s;
  bool after = !mlirOperationIsNull(s->after);
  const char *of = tt_stream_element(w, w->o), *to = result;
  bool narrow = strcmp(of, "f32") != 0;
  const char *type = tt_stream_block(w, w->o, w->os, s->second, to), *last = narrow ? "rn" : "r";
  const char *body = tt_arena_printf(
      w->arena, "^bb0(%%x: f32, %%y: f32, %%o: %s):\n%%r = arith.divf %%x, %%y : f32\n", to);
  if (narrow) body = tt_arena_printf(w->arena, "%s%%rn = arith.truncf %%r : f32 to %s\n", body, of);
  if (after)
    body = tt_arena_printf(w->arena,
                           "%s%%z = builtin.unrealized_conversion_cast %%%s : %s to %s "
                           "{body = \"after\"}\n",
                           body, last, of, to);
  body = tt_arena_printf(w->arena, "%slinalg.yield %%%s : %s\n", body, after ? "z" : last, to);
  SAY("%%e_z = tensor.empty(%s) : %s\n", open(w, false), type);
  generic(w, "end", after ? "after" : "norm",
          tt_arena_printf(w->arena, ALL ", %s, " ALL, row_map(w)), PARALLEL,
          tt_arena_printf(w->arena, "%%s3#2, %%s3#1 : %s, %s", w->sums, w->stats), "e_z", type,
          body);
}

static void say_result(TtStreamText *w, const char *type, const char *element) {
  const intptr_t *names = w->s->second;
  const char *full, *part = tt_stream_block(w, w->o, w->os, names, element),
                    *from = tt_stream_groups(w, w->o, w->os, names, element, &full);
  if (from)
    SAY("%%end_f = tensor.expand_shape %%end %s output_shape [%s] : %s into %s\n", from,
        tt_stream_list(w, w->o, w->os, names, TT_STREAM_SIZE), part, full);
  const char *places = "#gpu.block<linear_dim_0>"; /* what keeps a grid of one unit one */
  for (intptr_t d = 1; d < w->dims; ++d)
    places = tt_arena_printf(w->arena, "%s, #gpu.block<linear_dim_%jd>", places, (intmax_t)d);
  SAY("scf.forall.in_parallel {\ntensor.parallel_insert_slice %%end%s into %%result%s : %s into "
      "%s\n}\n} {mapping = [%s]}\nreturn %%r : %s\n}\n",
      from ? "_f" : "", tt_stream_box(w, w->o, w->os, names), from ? full : part, type, places,
      type);
}

static TtStreamText writer(TtArena *arena, const TtStream *s) {
  TtStreamText writer = {.arena = arena, .s = s, .queries = tt_stream_rows(s)}, *w = &writer;
  w->q = mlirOperationGetOperand(s->product, s->q), w->qs = tt_indexing_map(s->product, s->q);
  w->k = mlirOperationGetOperand(s->product, s->k), w->ks = tt_indexing_map(s->product, s->k);
  w->v = mlirOperationGetOperand(s->last, s->v), w->vs = tt_indexing_map(s->last, s->v);
  w->o = mlirOperationGetResult(s->last, 0), w->os = tt_indexing_map(s->last, 2);
  intptr_t r;
  int64_t keys = tt_stream_extent(w, w->k, w->ks, s->rank - 1, &r);
  choose_size(w, tt_stream_extent(w, w->q, w->qs, s->row, &r), w->queries, "%rows", &w->rows,
              &w->row_type);
  choose_size(w, keys, TT_STREAM_KEYS, "%keys", &w->keys, &w->key_type);
  w->stats = tt_arena_printf(arena, "tensor<%sxf32>", w->row_type);
  w->block = tt_arena_printf(arena, "tensor<%sx%sxf32>", w->row_type, w->key_type);
  w->sums = tt_stream_block(w, w->o, w->os, s->second, "f32");
  return writer;
}

const char *tt_stream_text(TtArena *arena, const TtStream *s) {
  TtStreamText text = writer(arena, s), *w = &text;
  bool after = !mlirOperationIsNull(s->after);
  MlirValue result = after ? mlirOperationGetResult(s->after, 0) : w->o;
  const char *type = tt_stream_type(w, result), *element = tt_stream_element(w, result), *weights;
  say_arguments(w, type);
  SAY("%%zero = arith.constant 0.0 : f32\n%%lowest = arith.constant -3.40282347E+38 : f32\n"
      "%%c0 = arith.constant 0 : index\n%%step = arith.constant %d : index\n",
      TT_STREAM_KEYS);
  for (intptr_t d = 0; d < s->rank; ++d)
    if (d == s->rank - 1) say_extent(w, "k", w->k, w->ks, d);
    else say_extent(w, "q", w->q, w->qs, d);
  say_grid(w, open_sizes(w), type);
  say_shared(w);
  const char *q = tt_stream_slice(w, "q", w->q, w->qs, s->first);
  say_loop(w);
  const char *k = tt_stream_slice(w, "k", w->k, w->ks, s->first),
             *v = tt_stream_slice(w, "v", w->v, w->vs, s->second);
  product(w, q, k);
  const char *p = softmax(w, mapped(w), &weights);
  weigh(w, p, weights, v);
  SAY("scf.yield %%m2, %%l2, %%a2 : %s, %s, %s\n}\n", w->stats, w->stats, w->sums);
  say_end(w, element);
  say_result(w, type, element);
  const char *copy = tt_arena_str(arena, (MlirStringRef){w->out.data, w->out.n});
  tt_text_free(&w->out);
  return copy;
}
