/*===- name_kernels.c - --tt-name-kernels ----------------------------------------------------===
 *
 * Notes at each grid of a model what its kernel is to be called and which ops of the model it
 * computes: after a product or a sum, if there is one.
 *
 *   before  func.func @mlp(…) attributes {tt.model} { scf.forall … { linalg.contract …
 *             linalg.generic … { arith.addf … math.tanh … } } … }
 *   after   scf.forall … { … } {tt.kernel_name = "mlp_0_matmul", tt.fuses = ["matmul", "add",
 *           "tanh"]}
 *
 * A kernel that only moves elements is called after none, and notes what has it do so: "pad",
 * "transpose", or "copy" and "fill" where nothing says.
 *
 * How many products and sums there are, if several, is `tt.sums`: tt-run --check allows the error
 * of each. Of joined grids, none of which takes what the other gives, it is that of one.
 *
 * Requires --tt-name-ops before ops were lowered, for the names; without it, those that the ops
 * have now. --tt-split-grids and --tt-model-to-kernels take the notes.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/input_op.h"
#include "Transforms/Model/grids.h"

#include <string.h>

enum { MOST_WORDS = 64 };

typedef struct Words {
  TtArena *arena;
  const char *data[MOST_WORDS];
  int n, main; /* main: the one that the kernel is named after; -1 while there is none */
  int rank;    /* of that: a product before a sum before the rest */
  int sums;    /* products and sums, each of which rounds what others gave */
} Words;

/* "matmul" of "tosa.matmul". */
static const char *word_of(TtArena *arena, MlirOperation op) {
  MlirStringRef name = tt_input_op(mlirOperationGetLocation(op)), own = tt_op_name(op);
  if (name.length == 0 || tt_str_eq(name, "linalg.generic")) name = own;
  const char *dot = memchr(name.data, '.', name.length);
  size_t skip = dot ? (size_t)(dot - name.data) + 1 : 0;
  return tt_arena_printf(arena, "%.*s", (int)(name.length - skip), name.data + skip);
}

static void add(Words *words, const char *word, int rank) {
  int at = 0;
  while (at < words->n && strcmp(words->data[at], word) != 0) ++at;
  if (at == MOST_WORDS) return;
  if (at == words->n) words->data[words->n++] = word;
  bool cast = strcmp(word, "cast") == 0 || strcmp(word, "extf") == 0 || strcmp(word, "truncf") == 0;
  if (words->main >= 0 && (cast || rank < words->rank || (rank == words->rank && rank > 0))) return;
  words->main = at;
  words->rank = cast ? -1 : rank;
}

/* Whether it has a loop that its output does not. */
static bool sums(MlirOperation op) {
  MlirAffineMap out = tt_indexing_map(op, tt_linalg_num_inputs(op));
  return mlirAffineMapGetNumResults(out) < mlirAffineMapGetNumDims(out);
}

static bool says_nothing(MlirOperation op) {
  return tt_op_is(op, "arith.constant") || tt_op_is(op, "linalg.index") ||
         tt_op_is(op, "linalg.yield");
}

/* Of matrices: a sum of squares has one loop left. */
static bool is_product(MlirOperation op) {
  return tt_sums_products(op) && mlirAffineMapGetNumResults(tt_indexing_map(op, 2)) > 1;
}

static void add_op(Words *words, MlirOperation op) {
  const char *word = word_of(words->arena, op);
  bool generic = tt_op_is(op, "linalg.generic"),
       product = tt_op_is(op, "linalg.contract") || (generic && is_product(op));
  if (!generic || (product && strcmp(word, "generic") != 0)) {
    if (!tt_op_is(op, "linalg.fill") && !tt_op_is(op, "linalg.index"))
      add(words, word, product ? 2 : 0);
    words->sums += product;
    return;
  }
  int rank = sums(op);
  words->sums += rank;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_body(op)); !mlirOperationIsNull(in);
       in = tt_next(in))
    if (!says_nothing(in)) add(words, word_of(words->arena, in), rank);
}

const char *tt_move_word(TtArena *arena, MlirOperation op) {
  const char *word = word_of(arena, op);
  bool plain = strcmp(word, "generic") == 0 || strcmp(word, "copy") == 0;
  if (!plain) return word;
  return tt_fills(op) || tt_op_is(op, "linalg.fill") ? "fill" : "copy";
}

/* Of a grid that computes nothing: what has it move elements, or fill a tensor. */
static void add_moves(Words *words, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    bool linalg = tt_is_linalg(ops.data[i]) && !tt_is_linalg(tt_parent(ops.data[i]));
    if (linalg || tt_op_is(ops.data[i], "memref.copy"))
      add(words, tt_move_word(words->arena, ops.data[i]), 0);
  }
}

static void note(TtArena *arena, MlirOperation func, MlirOperation grid, int index) {
  MlirContext context = mlirOperationGetContext(func);
  Words words = {.arena = arena, .main = -1};
  MlirStringRef name = tt_symbol_name(func);
  TtOps ops = tt_collect(arena, grid, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_linalg(ops.data[i]) && !tt_is_linalg(tt_parent(ops.data[i])))
      add_op(&words, ops.data[i]);
  char *called =
      tt_arena_printf(arena, "%.*s_%d%s%s", (int)name.length, name.data, index,
                      words.main < 0 ? "" : "_", words.main < 0 ? "" : words.data[words.main]);
  if (words.n == 0) add_moves(&words, ops);
  MlirAttribute *names = tt_arena_alloc(arena, (size_t)(words.n + 1) * sizeof *names);
  for (int i = 0; i < words.n; ++i) names[i] = tt_string_attr(context, words.data[i]);
  tt_set_attr(grid, "tt.kernel_name", tt_string_attr(context, called));
  tt_set_attr(grid, "tt.fuses", mlirArrayAttrGet(context, words.n, names));
  MlirAttribute parts = tt_get_attr(grid, "tt.joined");
  if (!mlirAttributeIsNull(parts)) {
    int n = (int)mlirIntegerAttrGetValueInt(parts);
    words.sums = (words.sums + n - 1) / n;
    tt_remove_attr(grid, "tt.joined");
  }
  if (words.sums > 1) tt_set_attr(grid, "tt.sums", tt_i64_attr(context, words.sums));
}

static bool name_kernels(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_host_ops(arena, func);
  int n = 0;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "scf.forall")) note(arena, func, ops.data[i], n++);
  return true;
}

bool tt_run_name_kernels(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, name_kernels);
}
