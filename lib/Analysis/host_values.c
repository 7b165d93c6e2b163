/*===- host_values.c - the tensors of a host function -------------------------------===*/

#include "Analysis/host_values.h"

#include "Analysis/dims.h"
#include "Analysis/program.h"
#include "Dialect/shapes.h"

#include <string.h>

bool tt_is_host_view(MlirOperation op) {
  return tt_op_is(op, "memref.cast") || tt_op_is(op, "memref.expand_shape") ||
         tt_op_is(op, "memref.collapse_shape");
}

MlirOperation tt_global_of(MlirOperation get) {
  MlirOperation module = get;
  while (!mlirOperationIsNull(tt_parent(module))) module = tt_parent(module);
  MlirStringRef name = tt_string(tt_op_attr(get, "name"));
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(module));
  for (; !mlirOperationIsNull(op); op = tt_next(op))
    if (tt_op_is(op, "memref.global") && mlirStringRefEqual(tt_symbol_name(op), name)) return op;
  return op;
}

/*===- Views ----------------------------------------------------------------------------------===*/

/* Sizes without those of 1: what is left of a dynamic shape is the same dimension by dimension. */
static intptr_t without_units(MlirType type, int64_t *sizes, intptr_t most) {
  intptr_t n = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int64_t size = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
    if (size != 1 && n < most) sizes[n++] = size;
  }
  return n;
}

static int64_t from_end(MlirType type, intptr_t i) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (i >= rank) return 1;
  return mlirShapedTypeIsDynamicDim(type, rank - 1 - i)
             ? -1
             : mlirShapedTypeGetDimSize(type, rank - 1 - i);
}

bool tt_has_same_tiles(MlirType a, MlirType b) {
  if (mlirShapedTypeHasStaticShape(a) && mlirShapedTypeHasStaticShape(b)) {
    TtMatrices x = tt_matrices(a), y = tt_matrices(b);
    bool whole = x.rows % TT_TILE == 0 && y.rows % TT_TILE == 0;
    return x.cols == y.cols && (x.rows == y.rows || whole);
  }
  enum { MOST = 16 };
  int64_t x[MOST], y[MOST];
  intptr_t n = without_units(a, x, MOST);
  return n == without_units(b, y, MOST) && memcmp(x, y, (size_t)n * sizeof *x) == 0 &&
         from_end(a, 0) == from_end(b, 0) && from_end(a, 1) == from_end(b, 1);
}

/*===- Collecting -----------------------------------------------------------------------------===*/

typedef struct Collect {
  TtArena *arena;
  TtHostValues v;
  intptr_t capacity;
} Collect;

intptr_t tt_host_tensor(const TtHostValues *values, MlirValue value) {
  return tt_value_map_get(&values->of, value);
}

intptr_t tt_host_source(const TtHostValues *values, intptr_t tensor) {
  if (values->data[tensor].kind != TT_HOST_MOVED) return -1;
  while (values->data[tensor].kind == TT_HOST_MOVED)
    tensor = tt_host_tensor(values,
                            mlirOperationGetOperand(tt_defining_op(values->data[tensor].value), 0));
  return tensor;
}

static void name(Collect *c, MlirValue value, intptr_t tensor) {
  tt_value_map_set(c->arena, &c->v.of, value, (int)tensor);
}

static void add(Collect *c, TtHostTensorKind kind, MlirValue value) {
  if (c->v.n == c->capacity) {
    intptr_t capacity = c->capacity ? 2 * c->capacity : 32;
    TtHostTensor *data = tt_arena_alloc(c->arena, (size_t)capacity * sizeof *data);
    if (c->v.n) memcpy(data, c->v.data, (size_t)c->v.n * sizeof *data);
    c->v.data = data, c->capacity = capacity;
  }
  c->v.data[c->v.n] = (TtHostTensor){kind, value, c->v.n};
  name(c, value, c->v.n++);
}

/* Both may be one. */
static void unite(Collect *c, MlirValue x, MlirValue y) {
  intptr_t i = tt_host_tensor(&c->v, x), j = tt_host_tensor(&c->v, y);
  if (i < 0 || j < 0) return;
  intptr_t from = c->v.data[i].same, to = c->v.data[j].same;
  if (from < to) from = c->v.data[j].same, to = c->v.data[i].same;
  for (intptr_t k = 0; k < c->v.n; ++k)
    if (c->v.data[k].same == from) c->v.data[k].same = to;
}

/* A global is one tensor wherever it is asked for. */
static void add_globals(Collect *c, MlirOperation func) {
  TtOps gets = tt_collect(c->arena, func, "memref.get_global");
  for (intptr_t i = 0; i < gets.n; ++i) {
    MlirValue first = mlirOperationGetResult(gets.data[i], 0);
    for (intptr_t j = 0; j < i; ++j)
      if (mlirAttributeEqual(tt_op_attr(gets.data[i], "name"), tt_op_attr(gets.data[j], "name"))) {
        first = mlirOperationGetResult(gets.data[j], 0);
        break;
      }
    if (tt_host_tensor(&c->v, first) < 0) add(c, TT_HOST_GLOBAL, first);
    name(c, mlirOperationGetResult(gets.data[i], 0), tt_host_tensor(&c->v, first));
  }
}

static void add_carried(Collect *c, MlirOperation op) {
  bool loop = tt_op_is(op, "scf.for");
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!tt_is_memref(mlirValueGetType(result))) continue;
    add(c, TT_HOST_CARRIED, result);
    if (!loop) continue;
    MlirValue inner = mlirBlockGetArgument(tt_for_body(op), i + 1);
    name(c, inner, tt_host_tensor(&c->v, result));
    unite(c, mlirOperationGetOperand(op, 3 + i), result);
  }
}

/* A view may have the tiles of what a view that it views has its elements from. A cast only says
 * less or more of the sizes. */
static void add_view(Collect *c, MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetResult(op, 0);
  intptr_t viewed = tt_host_tensor(&c->v, from);
  if (viewed >= 0 && tt_op_is(op, "memref.cast")) {
    name(c, to, viewed);
    return;
  }
  intptr_t source = viewed < 0 ? -1 : tt_host_source(&c->v, viewed);
  MlirType type = mlirValueGetType(to);
  if (source >= 0 && mlirShapedTypeHasStaticShape(type) &&
      tt_has_same_tiles(mlirValueGetType(c->v.data[source].value), type))
    name(c, to, source);
  else if (viewed >= 0 && tt_has_same_tiles(mlirValueGetType(from), type)) name(c, to, viewed);
  else add(c, TT_HOST_MOVED, to);
}

static void unite_yielded(Collect *c, MlirOperation yield) {
  MlirOperation parent = tt_parent(yield);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    if (i < mlirOperationGetNumResults(parent))
      unite(c, mlirOperationGetOperand(yield, i), mlirOperationGetResult(parent, i));
}

TtHostValues tt_host_values(TtArena *arena, MlirOperation func) {
  Collect c = {.arena = arena};
  for (intptr_t i = 0; i < tt_num_args(func); ++i) add(&c, TT_HOST_ARGUMENT, tt_arg(func, i));
  add_globals(&c, func);
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "memref.alloc"))
      add(&c, TT_HOST_ALLOC, mlirOperationGetResult(ops.data[i], 0));
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_op_is(op, "scf.for") || tt_op_is(op, "scf.if")) add_carried(&c, op);
    if (!tt_is_host_view(op)) continue;
    add_view(&c, op);
  }
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "scf.yield")) unite_yielded(&c, ops.data[i]);
  return c.v;
}

/*===- Equal sizes ----------------------------------------------------------------------------===*/

/* The dimension of a view's source that its dimension `d` is, or -1. */
static intptr_t viewed_dim(MlirOperation view, intptr_t d) {
  if (tt_op_is(view, "memref.cast")) return d;
  bool expand = tt_op_is(view, "memref.expand_shape");
  MlirAttribute groups = tt_op_attr(view, "reassociation");
  MlirType longer =
      mlirValueGetType(expand ? mlirOperationGetResult(view, 0) : mlirOperationGetOperand(view, 0));
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    intptr_t only = -1, has = 0;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i) {
      intptr_t at = (intptr_t)tt_int(mlirArrayAttrGetElement(group, i));
      has |= at == d;
      bool one =
          !mlirShapedTypeIsDynamicDim(longer, at) && mlirShapedTypeGetDimSize(longer, at) == 1;
      if (!one) only = only == -1 ? at : -2;
    }
    if (expand ? has : g == d) return expand ? (only == d ? g : -1) : (only >= 0 ? only : -1);
  }
  return -1;
}

bool tt_find_host_size(MlirOperation func, MlirValue value, intptr_t d, intptr_t *arg,
                       intptr_t *dim) {
  for (int steps = 0; steps < 64; ++steps) {
    if (mlirValueIsABlockArgument(value)) {
      if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(func))) return false;
      *arg = mlirBlockArgumentGetArgNumber(value), *dim = d;
      return true;
    }
    MlirOperation op = tt_defining_op(value);
    if (tt_is_host_view(op)) {
      d = viewed_dim(op, d);
      if (d < 0) return false;
      value = mlirOperationGetOperand(op, 0);
      continue;
    }
    if (!tt_op_is(op, "memref.alloc")) return false;
    intptr_t at = 0;
    for (intptr_t i = 0; i < d; ++i) at += mlirShapedTypeIsDynamicDim(mlirValueGetType(value), i);
    if (!mlirShapedTypeIsDynamicDim(mlirValueGetType(value), d)) return false;
    MlirValue size = mlirOperationGetOperand(op, at);
    int64_t index;
    if (mlirValueIsABlockArgument(size) || !tt_op_is(tt_defining_op(size), "memref.dim") ||
        !tt_constant(mlirOperationGetOperand(tt_defining_op(size), 1), &index))
      return false;
    value = mlirOperationGetOperand(tt_defining_op(size), 0), d = (intptr_t)index;
  }
  return false;
}

/* The argument of `func` and its dimension that "A_d0" of a launched program is. */
static bool named_size(TtArena *arena, MlirOperation func, MlirOperation launch,
                       MlirOperation program, MlirStringRef text, intptr_t *arg, intptr_t *dim) {
  MlirAttribute names = tt_get_attr(program, "tt.args");
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    char *tensor = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)));
    for (intptr_t d = 0; tt_is_memref(input) && d < mlirShapedTypeGetRank(input); ++d)
      if (tt_str_eq(text, tt_dim_name(arena, tensor, d)))
        return tt_find_host_size(func, mlirOperationGetOperand(launch, i), d, arg, dim);
  }
  return false;
}

static void note_launch(TtArena *arena, MlirOperation func, MlirOperation launch) {
  MlirOperation program = tt_launched_program(launch);
  MlirAttribute equal =
      mlirOperationIsNull(program) ? mlirAttributeGetNull() : tt_get_attr(program, "tt.equal_dims");
  for (intptr_t i = 0; !mlirAttributeIsNull(equal) && i < mlirArrayAttrGetNumElements(equal); ++i) {
    MlirStringRef text = tt_string(mlirArrayAttrGetElement(equal, i));
    const char *sign = memchr(text.data, '=', text.length);
    if (!sign) continue;
    size_t n = (size_t)(sign - text.data);
    MlirStringRef x = {text.data, n}, y = {sign + 1, text.length - n - 1};
    intptr_t args[2], dims[2];
    if (!named_size(arena, func, launch, program, x, &args[0], &dims[0]) ||
        !named_size(arena, func, launch, program, y, &args[1], &dims[1]))
      continue;
    const char *name[2];
    bool dynamic = true;
    for (int j = 0; j < 2; ++j) {
      name[j] = tt_dim_name(arena, tt_arg_name(arena, func, args[j]), dims[j]);
      dynamic &= mlirShapedTypeIsDynamicDim(mlirValueGetType(tt_arg(func, args[j])), dims[j]);
    }
    if (dynamic && strcmp(name[0], name[1]) != 0)
      tt_assume_equal_dims(arena, func, name[0], name[1]);
  }
}

void tt_note_equal_host_dims(TtArena *arena, MlirOperation func) {
  TtOps launches = tt_collect(arena, func, "tt.launch");
  for (intptr_t i = 0; i < launches.n; ++i) note_launch(arena, func, launches.data[i]);
}
