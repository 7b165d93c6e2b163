/*===- place_tensors.c - --tt-place-tensors --------------------------------------------------===
 *
 * Says of tensors between kernels of a host function which of them lie in L1, in shards over all
 * cores, and makes them right before their first use, and frees them behind their last one.
 *
 *   before  %t = memref.alloc() : memref<256x512xbf16>
 *           call @first(%x, %t)   call @second(%t, %y)   call @third(%y, %z)
 *   after   %t = memref.alloc() {tt.layout = {memory = "L1", layout = "sharded", nd_shard = {
 *             axes = ["M", "N"], grid = [8, 8], shard_shape_elems = [32, 64], …}}} : …
 *           call @first(%x, %t)   call @second(%t, %y)   memref.dealloc %t   call @third(%y, %z)
 *
 * Shards are rectangles on the rectangle of cores, so that what cores of a row compute and read of
 * rows of a product is in their row; or, where these are few, lines of them over all cores. A
 * tensor is placed where this takes less time than DRAM does: for each kernel that writes or reads
 * it, its bytes at the rate of the banks that it is in, against those of one core at the rate of
 * that core's port, and two thirds more. And where it fits, beside what else is in L1 and what each
 * kernel that runs meanwhile holds: its buffers, and two blocks of each tensor. Kernels that run
 * beside tensors that they do not take are told what those hold (tt.l1_beside).
 *
 * Left in DRAM: tensors of open sizes, of views and loops, and vectors.
 *
 * Requires --tt-model-to-kernels and --tt-split-grids.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include <string.h>

static const char *const pass = "tt-place-tensors";

/* Of L1, so much of what kernels hold and what lies there together; the rest is for sums. */
enum { L1_TAKEN = 3, L1_PARTS = 4 };

/* Ports have to be faster than banks by two thirds: one serves cores one after the other, and what
 * waits for the first of them is not seen here. A ViT's patches on 14 cores, by 0.6 faster, take
 * kernels 19,000 clk, not 12,000; an encoder's tensors, by 0.8, are 1.4 percent of its time. */
static const double faster = 5.0 / 3;

/* A call of the host function's body, and what its kernel and tensors in L1 hold meanwhile. */
typedef struct Call {
  MlirOperation op, kernel;
  int64_t holds, placed;
} Call;

/* A tensor in L1, from call `first` to call `last`. */
typedef struct Placed {
  MlirValue tensor;
  intptr_t first, last;
  int64_t bytes; /* of a core */
} Placed;

typedef struct Place {
  TtArena *arena;
  TtTarget target;
  Call *calls;
  intptr_t n;
  Placed *placed;
  intptr_t num_placed;
} Place;

/* Shards of a tensor, in tiles, and how many of them. */
typedef struct Cut {
  int64_t rows, cols, down, across;
} Cut;

/*===- Kernels -----------------------------------------------------------------------------===*/

/* Adds `times` blocks like `memref`, whose open sizes are at most what `sizes`, of op `from` on,
 * say; false where that is not known. */
static bool add_block(MlirType memref, int64_t times, MlirOperation op, intptr_t from,
                      MlirAttribute sizes, int64_t *bytes) {
  TtDType dtype;
  if (!tt_dtype_of(mlirShapedTypeGetElementType(memref), &dtype)) return false;
  intptr_t rank = mlirAttributeIsNull(sizes) ? mlirShapedTypeGetRank(memref)
                                             : mlirDenseArrayGetNumElements(sizes);
  int64_t tiles = times;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t n = mlirAttributeIsNull(sizes) ? mlirShapedTypeGetDimSize(memref, d)
                                           : mlirDenseI64ArrayGetElement(sizes, d);
    if (mlirShapedTypeIsDynamicSize(n)) n = tt_index_bound(mlirOperationGetOperand(op, from++));
    if (n < 0) return false;
    tiles *= d + 2 < rank ? n : tt_tiles(n);
  }
  *bytes += tiles * tt_format(dtype)->tile_bytes;
  return true;
}

static bool add_subview(MlirOperation op, int64_t *bytes) {
  MlirAttribute starts = tt_op_attr(op, "static_offsets");
  intptr_t from = 1;
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(starts); ++d)
    from += mlirShapedTypeIsDynamicStrideOrOffset(mlirDenseI64ArrayGetElement(starts, d));
  return add_block(mlirValueGetType(mlirOperationGetResult(op, 0)), 2, op, from,
                   tt_op_attr(op, "static_sizes"), bytes);
}

/* Bytes of a core's L1: buffers, and two blocks of each tensor; false where that is not known. */
static bool held(TtArena *arena, MlirOperation kernel, int64_t *bytes) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  MlirAttribute none = mlirAttributeGetNull();
  *bytes = 0;
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_is(op, "memref.alloc") &&
        !add_block(mlirValueGetType(mlirOperationGetResult(op, 0)), 1, op, 0, none, bytes))
      return false;
    if (tt_op_is(op, "memref.subview") && !add_subview(op, bytes)) return false;
    if (!tt_is_linalg(op) && !tt_op_is(op, "memref.copy")) continue;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue whole = mlirOperationGetOperand(op, j);
      if (mlirValueIsABlockArgument(whole) && mlirTypeIsAMemRef(mlirValueGetType(whole)) &&
          (!mlirShapedTypeHasStaticShape(mlirValueGetType(whole)) ||
           !add_block(mlirValueGetType(whole), 2, op, 0, none, bytes)))
        return false;
    }
  }
  return true;
}

static MlirOperation kernel_of(TtOps kernels, MlirOperation call) {
  MlirStringRef callee = tt_string(tt_op_attr(call, "callee"));
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (mlirStringRefEqual(tt_symbol_name(kernels.data[i]), callee)) return kernels.data[i];
  return (MlirOperation){NULL};
}

/* The calls of the body itself; false where there are others, or what one holds is not known. */
static bool find_calls(Place *p, MlirOperation host, TtOps kernels) {
  TtOps all = tt_collect(p->arena, host, "func.call");
  p->calls = tt_arena_alloc(p->arena, (size_t)(all.n + 1) * sizeof *p->calls);
  for (intptr_t i = 0; i < all.n; ++i) {
    Call *c = &p->calls[p->n++];
    *c = (Call){.op = all.data[i], .kernel = kernel_of(kernels, all.data[i])};
    if (!tt_op_eq(tt_parent(c->op), host) || mlirOperationIsNull(c->kernel) ||
        !held(p->arena, c->kernel, &c->holds))
      return false;
  }
  return true;
}

/*===- Tensors -----------------------------------------------------------------------------===*/

static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Shards with as few tiles as cores allow: rectangles of the rectangle of cores, or lines of
 * shards. Matrices of outer dimensions are one below the other, and no shard is of two. False where
 * cores are too few. */
static bool cut(const Place *p, MlirType type, Cut *best) {
  TtMatrices m = tt_matrices(type);
  int64_t rows = tt_tiles(m.rows), cols = tt_tiles(m.cols), x = p->target.grid_x,
          y = p->target.grid_y;
  int64_t down[] = {y / m.count, x * y / m.count, 1}, across[] = {x, 1, x * y};
  int64_t least = 0;
  for (int i = 0; i < 3; ++i) {
    if (down[i] < 1 || (i == 2 && m.count > 1)) continue;
    Cut c = {.rows = up(rows, down[i]), .cols = up(cols, across[i])};
    while (m.count > 1 && rows % c.rows != 0) ++c.rows;
    c.down = m.count * up(rows, c.rows), c.across = up(cols, c.cols);
    if (least > 0 && c.rows * c.cols >= least) continue;
    least = c.rows * c.cols, *best = c;
  }
  return least > 0;
}

/* The first and the last call that takes `tensor`, which is used by calls alone. */
static bool find_life(const Place *p, MlirValue tensor, intptr_t *first, intptr_t *last,
                      int *uses) {
  *first = p->n, *last = -1, *uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    intptr_t i = 0;
    while (i < p->n && !tt_op_eq(p->calls[i].op, mlirOpOperandGetOwner(use))) ++i;
    if (i == p->n) return false;
    if (i < *first) *first = i;
    if (i > *last) *last = i;
    ++*uses;
  }
  return *last >= 0;
}

static MlirAttribute numbers(const Place *p, intptr_t n, const int64_t *values) {
  MlirContext context = mlirOperationGetContext(p->calls[0].op);
  MlirAttribute *all = tt_arena_alloc(p->arena, (size_t)(n + 1) * sizeof *all);
  for (intptr_t i = 0; i < n; ++i) all[i] = tt_i64_attr(context, values[i]);
  return mlirArrayAttrGet(context, n, all);
}

static MlirAttribute layout_of(const Place *p, MlirType type, Cut c) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *grid = tt_arena_alloc(p->arena, (size_t)(rank + 1) * sizeof *grid),
          *shard = tt_arena_alloc(p->arena, (size_t)(rank + 1) * sizeof *shard);
  char *axes = "";
  TtMatrices m = tt_matrices(type);
  for (intptr_t d = 0; d + 2 < rank; ++d) {
    grid[d] = mlirShapedTypeGetDimSize(type, d), shard[d] = 1;
    axes = tt_arena_printf(p->arena, "%s\"D%jd\", ", axes, (intmax_t)d);
  }
  grid[rank - 2] = c.down / m.count, grid[rank - 1] = c.across;
  shard[rank - 2] = c.rows * TT_TILE, shard[rank - 1] = c.cols * TT_TILE;
  MlirContext context = mlirOperationGetContext(p->calls[0].op);
  MlirAttribute names =
      mlirAttributeParseGet(context, tt_str(tt_arena_printf(p->arena, "[%s\"M\", \"N\"]", axes)));
  MlirNamedAttribute nd[] = {
      {mlirIdentifierGet(context, tt_str("axes")), names},
      {mlirIdentifierGet(context, tt_str("grid")), numbers(p, rank, grid)},
      {mlirIdentifierGet(context, tt_str("shard_shape_elems")), numbers(p, rank, shard)},
      {mlirIdentifierGet(context, tt_str("order")), tt_string_attr(context, "row_major")}};
  MlirNamedAttribute fields[] = {
      {mlirIdentifierGet(context, tt_str("memory")), tt_string_attr(context, "L1")},
      {mlirIdentifierGet(context, tt_str("layout")), tt_string_attr(context, "sharded")},
      {mlirIdentifierGet(context, tt_str("nd_shard")), mlirDictionaryAttrGet(context, 4, nd)}};
  return mlirDictionaryAttrGet(context, 3, fields);
}

/* Why a tensor stays in DRAM; NULL where it is to be cut as `c`, as `t` says. */
static const char *why_not(Place *p, MlirOperation alloc, Cut *c, Placed *t) {
  MlirType type = mlirValueGetType(t->tensor);
  TtDType dtype;
  int uses;
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) < 2 ||
      !tt_dtype_of(mlirShapedTypeGetElementType(type), &dtype))
    return "its size is open, or it is no matrix";
  if (!find_life(p, t->tensor, &t->first, &t->last, &uses)) return "not only kernels take it";
  if (!cut(p, type, c)) return "it has more matrices than there are cores";
  const TtChip *chip = p->target.chip;
  int64_t tiles = tt_tensor_tiles(type), page = tt_format(dtype)->tile_bytes,
          banks = tiles < (int64_t)chip->dram_banks ? tiles : (int64_t)chip->dram_banks,
          room = (int64_t)tt_usable_l1(chip) / L1_PARTS * L1_TAKEN;
  t->bytes = c->rows * c->cols * page;
  double dram = (double)(uses * tiles * page) / (double)banks / (double)chip->bank_bytes_per_clk,
         l1 = (double)(uses * t->bytes) / (double)chip->noc_bytes_per_clk;
  if (faster * l1 >= dram)
    return "ports of the cores that it would be on are hardly faster than the banks";
  for (intptr_t i = t->first; i <= t->last; ++i)
    if (p->calls[i].holds + p->calls[i].placed + t->bytes > room)
      return "L1 has no room beside what kernels hold";
  tt_remark(alloc, TT_REMARK_PASSED, pass,
            "lies in L1, in %jd x %jd shards: kernels move it in %.0f clk there, in %.0f in DRAM",
            (intmax_t)c->across, (intmax_t)c->down, l1, dram);
  return NULL;
}

static void place(Place *p, MlirOperation alloc) {
  Cut c;
  Placed *t = &p->placed[p->num_placed];
  *t = (Placed){.tensor = mlirOperationGetResult(alloc, 0)};
  const char *reason = why_not(p, alloc, &c, t);
  if (reason) {
    tt_remark(alloc, TT_REMARK_MISSED, pass, "stays in DRAM: %s", reason);
    return;
  }
  ++p->num_placed;
  for (intptr_t i = t->first; i <= t->last; ++i) p->calls[i].placed += t->bytes;
  mlirOperationMoveBefore(alloc, p->calls[t->first].op);
  tt_set_attr(alloc, "tt.layout", layout_of(p, mlirValueGetType(t->tensor), c));
  TtBuilder after = tt_builder_after(p->calls[t->last].op);
  TtOpState end = tt_op_state("memref.dealloc", mlirOperationGetLocation(alloc));
  tt_op_state_operand(&end, t->tensor);
  tt_builder_insert(&after, tt_op_state_finish(&end));
}

/* Whether the call is given `tensor`. */
static bool takes(MlirOperation call, MlirValue tensor) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(call); ++j)
    if (tt_value_eq(mlirOperationGetOperand(call, j), tensor)) return true;
  return false;
}

/* Says to the kernel of call `i` what tensors in L1 that it does not take hold while it runs, the
 * most of all of its calls. */
static void say_beside(const Place *p, intptr_t i) {
  int64_t beside = 0;
  for (intptr_t t = 0; t < p->num_placed; ++t)
    if (p->placed[t].first <= i && i <= p->placed[t].last &&
        !takes(p->calls[i].op, p->placed[t].tensor))
      beside += p->placed[t].bytes;
  MlirAttribute before = tt_get_attr(p->calls[i].kernel, "tt.l1_beside");
  if (beside > (mlirAttributeIsNull(before) ? 0 : tt_int(before)))
    tt_set_attr(p->calls[i].kernel, "tt.l1_beside",
                tt_i64_attr(mlirOperationGetContext(p->calls[i].op), beside));
}

static void place_all(TtArena *arena, MlirOperation host, TtOps kernels) {
  Place p = {.arena = arena, .target = tt_target_of(host)};
  if (!find_calls(&p, host, kernels)) return;
  TtOps allocs = tt_collect(arena, host, "memref.alloc");
  p.placed = tt_arena_alloc(arena, (size_t)(allocs.n + 1) * sizeof *p.placed);
  for (intptr_t i = 0; i < allocs.n; ++i)
    if (mlirAttributeIsNull(tt_get_attr(allocs.data[i], "tt.layout"))) place(&p, allocs.data[i]);
  for (intptr_t i = 0; i < p.n; ++i) say_beside(&p, i);
}

bool tt_run_place_tensors(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps hosts = tt_hosts(arena, module), kernels = tt_kernels(arena, module);
  for (intptr_t i = 0; i < hosts.n; ++i) place_all(arena, hosts.data[i], kernels);
  tt_arena_destroy(arena);
  return true;
}
