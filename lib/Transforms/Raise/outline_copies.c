/*===- outline_copies.c - --tt-outline-copies ---------------------------------------------------===
 *
 * Makes copies and fills of tensors in host functions kernels, by blocks of a grid.
 *
 *   before  func.func @f(…) attributes {tt.host} { memref.copy %A, %t : memref<128x64xf32> … }
 *   after   func.func @copy(%from: memref<128x64xf32>, %to: memref<128x64xf32>)
 *               attributes {tt.fuses = ["copy"], tt.kernel} {
 *             scf.forall (%i0, %i1) in (4, 1) { copy 32 rows of 64 elements } }
 *           func.func @f(…) attributes {tt.host} { call @copy(%A, %t) }
 *
 * One kernel serves all tensors of a type. A matrix is cut into blocks of 32 rows and at most 256
 * columns; of the dimensions outside each index is a cell.
 *
 * Requires nothing. Leaves no memref.copy, linalg.copy and linalg.fill in host functions.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "tilewright/ir.h"

#include <string.h>

enum { ROWS = 32, COLUMNS = 256, VECTOR = 1024, MOST_DIMS = 8 };

typedef struct Kernel {
  MlirType type;
  bool fill;
  const char *name;
} Kernel;

typedef struct Outline {
  TtArena *arena;
  MlirOperation module;
  Kernel kernels[64];
  int n;
} Outline;

/*===- The kernel, as text --------------------------------------------------------------------===*/

static void append_to(MlirStringRef part, void *text) {
  tt_text_append(text, part.data, part.length);
}

static const char *type_text(TtArena *arena, MlirType type) {
  TtText text = {NULL, 0, 0};
  mlirTypePrint(type, append_to, &text);
  char *copy = tt_arena_str(arena, (MlirStringRef){text.data, text.n});
  tt_text_free(&text);
  return copy;
}

static int64_t size_of(MlirType type, intptr_t d) { /* -1: dynamic */
  return mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
}

/* How long a block is along dimension `d`: one element of those outside of the matrix. */
static int64_t most_of(MlirType type, intptr_t d) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t size = size_of(type, d), most = rank == 1 ? VECTOR : d + 2 == rank ? ROWS : COLUMNS;
  if (d + 2 < rank) return 1;
  return size > 0 && size < most ? size : most;
}

static bool is_whole(MlirType type, intptr_t d) {
  return size_of(type, d) > 0 && size_of(type, d) % most_of(type, d) == 0;
}

/* A list, with a text for each dimension that `item` prints. */
static void list(TtText *out, MlirType type, intptr_t from, const char *sign,
                 void (*item)(TtText *, MlirType, intptr_t)) {
  for (intptr_t d = from; d < mlirShapedTypeGetRank(type); ++d) {
    if (d > from) tt_text_append(out, sign, strlen(sign));
    item(out, type, d);
  }
}

static intptr_t outside(MlirType type) { /* dimensions outside of the matrix */
  intptr_t rank = mlirShapedTypeGetRank(type);
  return rank > 2 ? rank - 2 : 0;
}

static void start(TtText *out, MlirType type, intptr_t d) {
  if (size_of(type, d) == most_of(type, d)) tt_text_printf(out, "0"); /* up to its end */
  else tt_text_printf(out, d < outside(type) ? "%%i%jd" : "%%m%jd", (intmax_t)d);
}
static void length(TtText *out, MlirType type, intptr_t d) {
  if (is_whole(type, d) || d < outside(type))
    tt_text_printf(out, "%jd", (intmax_t)most_of(type, d));
  else tt_text_printf(out, "%%n%jd", (intmax_t)d);
}
static void extent(TtText *out, MlirType type, intptr_t d) {
  if (is_whole(type, d)) tt_text_printf(out, "%jd", (intmax_t)most_of(type, d));
  else tt_text_printf(out, "?");
}
static void one(TtText *out, MlirType type, intptr_t d) {
  (void)type, (void)d;
  tt_text_printf(out, "1");
}
static void stride(TtText *out, MlirType type, intptr_t d) {
  int64_t n = 1;
  for (intptr_t o = d + 1; o < mlirShapedTypeGetRank(type) && n > 0; ++o)
    n = size_of(type, o) < 0 ? -1 : n * size_of(type, o);
  tt_text_printf(out, n < 0 ? "?" : "%jd", (intmax_t)n);
}
static void variable(TtText *out, MlirType type, intptr_t d) {
  (void)type;
  tt_text_printf(out, "%%i%jd", (intmax_t)d);
}
static void cells(TtText *out, MlirType type, intptr_t d) {
  (void)type;
  tt_text_printf(out, "%%c%jd", (intmax_t)d);
}

static void block_type(TtText *out, TtArena *arena, MlirType type) {
  tt_text_printf(out, "memref<");
  list(out, type, outside(type), "x", extent);
  tt_text_printf(out, "x%s, strided<[", type_text(arena, mlirShapedTypeGetElementType(type)));
  list(out, type, outside(type), ", ", stride);
  bool moves = false; /* there is more than one block */
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    moves |= size_of(type, d) != most_of(type, d);
  tt_text_printf(out, moves ? "], offset: ?>>" : "]>>");
}

static void view(TtText *out, TtArena *arena, MlirType type, const char *name) {
  tt_text_printf(out, "    %%%s_block = memref.subview %%%s[", name, name);
  list(out, type, 0, ", ", start);
  tt_text_printf(out, "] [");
  list(out, type, 0, ", ", length);
  tt_text_printf(out, "] [");
  list(out, type, 0, ", ", one);
  tt_text_printf(out, "] : %s to ", type_text(arena, type));
  block_type(out, arena, type);
  tt_text_printf(out, "\n");
}

/* %s0, the size of a dimension, and %c0, the cells along it. */
static void sizes(TtText *out, TtArena *arena, MlirType type) {
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    intmax_t i = (intmax_t)d, size = (intmax_t)size_of(type, d);
    if (size < 0)
      tt_text_printf(out,
                     "  %%d%jd = arith.constant %jd : index\n"
                     "  %%s%jd = memref.dim %%to, %%d%jd : %s\n",
                     i, i, i, i, type_text(arena, type));
    else tt_text_printf(out, "  %%s%jd = arith.constant %jd : index\n", i, size);
    tt_text_printf(out,
                   "  %%l%jd = arith.constant %jd : index\n"
                   "  %%c%jd = arith.ceildivui %%s%jd, %%l%jd : index\n",
                   i, (intmax_t)most_of(type, d), i, i, i);
  }
}

/* The grid has three dimensions: of a tensor with more the outermost are loops of a cell. */
static intptr_t grid(TtText *out, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type), loops = rank > 3 ? rank - 3 : 0;
  tt_text_printf(out, "  scf.forall (");
  list(out, type, loops, ", ", variable);
  tt_text_printf(out, ") in (");
  list(out, type, loops, ", ", cells);
  tt_text_printf(out, ") {\n    %%zero = arith.constant 0 : index\n"
                      "    %%one = arith.constant 1 : index\n");
  for (intptr_t d = 0; d < loops; ++d)
    tt_text_printf(out, "    scf.for %%i%jd = %%zero to %%s%jd step %%one {\n", (intmax_t)d,
                   (intmax_t)d);
  for (intptr_t d = outside(type); d < rank; ++d) {
    intmax_t i = (intmax_t)d, most = (intmax_t)most_of(type, d);
    tt_text_printf(out, "    %%m%jd = affine.apply affine_map<(d0) -> (d0 * %jd)>(%%i%jd)\n", i,
                   most, i);
    if (!is_whole(type, d))
      tt_text_printf(out,
                     "    %%n%jd = affine.min affine_map<(d0)[s0] -> (-d0 + s0, %jd)>(%%m%jd)"
                     "[%%s%jd]\n",
                     i, most, i, i);
  }
  return loops;
}

static void kernel_text(Outline *o, const Kernel *k, TtText *out) {
  const char *whole = type_text(o->arena, k->type),
             *element = type_text(o->arena, mlirShapedTypeGetElementType(k->type));
  tt_text_printf(out,
                 "func.func @%s(%%%s: %s {tt.name = \"%s\"}, %%to: %s {tt.name = \"to\"}) "
                 "attributes {tt.fuses = [\"%s\"], tt.kernel} {\n",
                 k->name, k->fill ? "value" : "from", k->fill ? element : whole,
                 k->fill ? "value" : "from", whole, k->fill ? "fill" : "copy");
  sizes(out, o->arena, k->type);
  intptr_t loops = grid(out, k->type);
  if (!k->fill) view(out, o->arena, k->type, "from");
  view(out, o->arena, k->type, "to");
  if (k->fill) tt_text_printf(out, "    linalg.fill ins(%%value : %s) outs(%%to_block : ", element);
  else {
    tt_text_printf(out, "    memref.copy %%from_block, %%to_block : ");
    block_type(out, o->arena, k->type);
    tt_text_printf(out, " to ");
  }
  block_type(out, o->arena, k->type);
  tt_text_printf(out, k->fill ? ")\n" : "\n");
  for (intptr_t i = 0; i < loops; ++i) tt_text_printf(out, "    }\n");
  tt_text_printf(out, "  }\n  return\n}\n");
}

/*===- Calls ----------------------------------------------------------------------------------===*/

static bool is_symbol(Outline *o, const char *name) {
  MlirSymbolTable table = mlirSymbolTableCreate(o->module);
  bool is = !mlirOperationIsNull(mlirSymbolTableLookup(table, tt_str(name)));
  mlirSymbolTableDestroy(table);
  return is;
}

/* The kernel for tensors of a type, made where there is none yet; NULL after an error. */
static const Kernel *kernel_for(Outline *o, MlirOperation host, MlirOperation op, MlirType type,
                                bool fill) {
  for (int i = 0; i < o->n; ++i)
    if (mlirTypeEqual(o->kernels[i].type, type) && o->kernels[i].fill == fill)
      return &o->kernels[i];
  if (o->n == (int)(sizeof o->kernels / sizeof *o->kernels))
    return tt_error(op, "copies tensors of more than %d types; write kernels for them", o->n), NULL;
  Kernel *k = &o->kernels[o->n++];
  const char *wish = fill ? "fill" : "copy";
  *k = (Kernel){type, fill, wish};
  for (int i = 1; is_symbol(o, k->name); ++i) k->name = tt_arena_printf(o->arena, "%s_%d", wish, i);
  TtText text = {NULL, 0, 0};
  kernel_text(o, k, &text);
  MlirOperation func = mlirOperationCreateParse(mlirOperationGetContext(o->module),
                                                (MlirStringRef){text.data, text.n},
                                                tt_str("copy of a host function"));
  tt_text_free(&text);
  if (mlirOperationIsNull(func))
    return tt_error(op, "no kernel for this type could be made; write one"), NULL;
  TtBuilder b = tt_builder_before(host);
  tt_builder_insert(&b, func);
  return k;
}

static bool outline(Outline *o, MlirOperation host, MlirOperation op) {
  bool fill = tt_op_is(op, "linalg.fill");
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(to);
  if (!tt_is_memref(type) || mlirShapedTypeGetRank(type) == 0 ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      (!fill && !mlirTypeEqual(mlirValueGetType(from), type)))
    return tt_error(op, "copies part of a tensor, or to another type; a host function copies and "
                        "fills whole tensors, so write a kernel for this");
  if (!fill && tt_value_eq(from, to)) return mlirOperationDestroy(op), true;
  const Kernel *k = kernel_for(o, host, op, type, fill);
  if (!k) return false;
  TtBuilder b = tt_builder_before(op);
  TtOpState s = tt_op_state("func.call", mlirOperationGetLocation(op));
  tt_op_state_attr(&s, b.context, "callee", mlirFlatSymbolRefAttrGet(b.context, tt_str(k->name)));
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirOperationDestroy(op);
  return true;
}

bool tt_run_outline_copies(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  Outline o = {.arena = tt_arena_create(), .module = module};
  TtOps hosts = tt_hosts(o.arena, module);
  bool ok = true;
  for (intptr_t i = 0; ok && i < hosts.n; ++i) {
    TtOps ops = tt_collect(o.arena, hosts.data[i], NULL);
    for (intptr_t j = 0; ok && j < ops.n; ++j)
      if (tt_op_is(ops.data[j], "memref.copy") || tt_op_is(ops.data[j], "linalg.copy") ||
          tt_op_is(ops.data[j], "linalg.fill"))
        ok = outline(&o, hosts.data[i], ops.data[j]);
  }
  tt_arena_destroy(o.arena);
  return ok;
}
