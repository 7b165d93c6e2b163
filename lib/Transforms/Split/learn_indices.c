/*===- learn_indices.c - integers that steer the kernels of a core ------------------------------===
 *
 *   %v = tt.load_index %T[%i]
 * = reader    %v = tt.fetch_index 0 %T[%i], %cb_load_T to [@cb_to_compute]
 *   compute   %v = tt.take_index 0 %cb_to_compute
 *
 * What may be below zero goes as what it is plus a constant, which no kernel has to tell.
 *
 * Each kernel has the loads of the kernel's source that it needs, in their order, under the same
 * loops and conditions: so the first that the reader sends is the first that another one takes.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/learn_indices.h"

#include "Analysis/kernel.h"
#include "Analysis/ranges.h"
#include "Dialect/target.h"
#include "Target/eras.h"

#include <string.h>

static const char *const ways[2] = {"cb_to_compute", "cb_to_writer"};

TtLearned tt_number_indices(TtArena *arena, MlirOperation func) {
  TtOps loads = tt_collect(arena, func, "tt.load_index");
  TtLearned l = {arena, func, loads.n, NULL};
  l.needed = tt_arena_alloc(arena, (size_t)(loads.n + 1) * sizeof *l.needed);
  for (intptr_t i = 0; i < loads.n; ++i)
    mlirOperationSetInherentAttributeByName(loads.data[i], tt_str("id"),
                                            tt_i64_attr(mlirOperationGetContext(func), (int64_t)i));
  return l;
}

/*===- Circular buffers -----------------------------------------------------------------------===*/

/* The last one of a program, and an id that none has, from `first` on; -1: none is left. */
static int64_t free_id(TtOps cbs, int64_t count, int64_t first) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t id = tt_cb_upwards(i, first, count);
    bool taken = false;
    for (intptr_t j = 0; j < cbs.n; ++j) taken |= tt_int(tt_circular_buffer_id(cbs.data[j])) == id;
    if (!taken) return id;
  }
  return -1;
}

/* One of pages of `dtype`, made where there is none of this name. */
static bool add_cb(TtLearned *l, MlirOperation program, const char *name, TtDType dtype,
                   MlirType element, const char *tensor, TtCBRole role) {
  TtOps cbs = tt_collect(l->arena, program, "tt.circular_buffer");
  for (intptr_t i = 0; i < cbs.n; ++i)
    if (tt_str_eq(tt_symbol_name(cbs.data[i]), name)) return true;
  MlirContext context = mlirOperationGetContext(program);
  MlirAttribute geometry = tensor ? tt_named_attr(program, "cb", tensor) : mlirAttributeGetNull();
  int64_t tiles[2] = {1, 1}, bytes = tt_format(dtype)->tile_bytes;
  int64_t pages = tt_cb_attr_isa(geometry) ? tt_cb_attr_depth(geometry) : TT_DEFAULT_DEPTH;
  int64_t id = free_id(cbs, tt_target_of(program).cbs, role == TT_CB_ROLE_INPUT ? 0 : 24);
  if (id < 0)
    return tt_error(program, "[rule 8] no circular buffer is left for the integers that steer the "
                             "kernel; use fewer buffers");
  bool moved = false; /* by blocks as well, through a circular buffer of which tt.cb tells */
  for (intptr_t i = 0; tensor && i < cbs.n; ++i) {
    MlirAttribute buffer = tt_circular_buffer_buffer(cbs.data[i]);
    moved |= !mlirAttributeIsNull(buffer) && tt_str_eq(tt_string(buffer), tensor);
  }
  if (tensor && !moved)
    tt_set_named_attr(program, "cb", tensor,
                      tt_cb_attr_get(context, id, bytes, pages, tt_data_format_of(dtype)));
  TtBuilder b =
      cbs.n ? tt_builder_after(cbs.data[cbs.n - 1]) : tt_builder_at_start(tt_body(program));
  MlirType type = tt_cb_type_get(context, 2, tiles, element);
  tt_circular_buffer_create(&b, mlirOperationGetLocation(program), name,
                            mlirFlatSymbolRefAttrGet(context, tt_str("all")), role,
                            mlirTypeAttrGet(type), id, pages, bytes,
                            tt_data_format_attr_get(context, tt_data_format_of(dtype)),
                            tensor ? tt_string_attr(context, tensor) : mlirAttributeGetNull(),
                            mlirAttributeGetNull(), mlirAttributeGetNull());
  return true;
}

static MlirValue handle(TtLearned *l, MlirOperation kernel, const char *name, MlirType element) {
  TtOps gets = tt_collect(l->arena, kernel, "tt.get_cb");
  int64_t tiles[2] = {1, 1};
  for (intptr_t i = 0; i < gets.n; ++i)
    if (tt_str_eq(tt_string(tt_get_cb_name(gets.data[i])), name)) return tt_get_cb_cb(gets.data[i]);
  TtBuilder b =
      gets.n ? tt_builder_after(gets.data[gets.n - 1]) : tt_builder_at_start(tt_body(kernel));
  MlirType type = tt_cb_type_get(b.context, 2, tiles, element);
  return tt_get_cb_cb(tt_get_cb_create(&b, mlirOperationGetLocation(kernel), type,
                                       mlirFlatSymbolRefAttrGet(b.context, tt_str(name))));
}

/*===- Kernels --------------------------------------------------------------------------------===*/

/* The argument of the kernel's source that a load of a copy is from. */
static intptr_t argument_of(MlirOperation load) {
  return mlirBlockArgumentGetArgNumber(tt_load_index_tensor(load));
}

/* What a load gives, with what is added to the integer. */
static TtRange range_of(TtLearned *l, MlirOperation load) {
  TtRange range = tt_arg_range(l->func, argument_of(load));
  MlirAttribute plus = tt_load_index_plus(load);
  if (!mlirAttributeIsNull(plus)) range.lo += tt_int(plus), range.hi += tt_int(plus);
  return range;
}

static MlirAttribute ranged(TtRange range, MlirContext context) {
  return range.given ? mlirUnitAttrGet(context) : mlirAttributeGetNull();
}

/* The reader comes last, and has all that it and the others need. */
static bool fetch(TtLearned *l, MlirOperation program, MlirOperation kernel) {
  MlirContext context = mlirOperationGetContext(kernel);
  TtOps loads = tt_collect(l->arena, kernel, "tt.load_index"), fetches = {NULL, 0, 0};
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirOperation load = loads.data[i];
    int64_t id = tt_int(tt_load_index_id(load));
    intptr_t arg = argument_of(load), n = 0, rank = tt_load_index_num_at(load);
    char *tensor = tt_arg_name(l->arena, l->func, arg);
    MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(tt_load_index_tensor(load)));
    MlirAttribute to[2], buffer = tt_named_attr(program, "buffer", tensor);
    const char *name =
        tt_arena_printf(l->arena, "cb_load_%s", tt_arena_identifier(l->arena, tt_str(tensor)));
    if (!add_cb(l, program, name, tt_buffer_attr_dtype(buffer), element, tensor, TT_CB_ROLE_INPUT))
      return false;
    for (int way = 0; way < 2; ++way)
      if (l->needed[id][way]) to[n++] = mlirFlatSymbolRefAttrGet(context, tt_str(ways[way]));
    MlirValue at[TT_MAX_RANK], cb = handle(l, kernel, name, element);
    for (intptr_t d = 0; d < rank; ++d) at[d] = tt_load_index_at(load, d);
    TtRange range = range_of(l, load);
    TtBuilder b = tt_builder_before(load);
    MlirOperation op = tt_fetch_index_create(
        &b, mlirOperationGetLocation(load), tt_load_index_tensor(load), rank, at, cb, id, range.lo,
        range.hi, ranged(range, context),
        n ? mlirArrayAttrGet(context, n, to) : mlirAttributeGetNull(), tt_load_index_plus(load));
    tt_ops_add(l->arena, &fetches, op);
    tt_replace(load, tt_fetch_index_value(op));
  }
  tt_erase_dead(kernel);
  for (intptr_t i = fetches.n; i-- > 0;) /* what a later one needs is before it */
    if (!tt_has_uses(tt_fetch_index_value(fetches.data[i])) &&
        mlirAttributeIsNull(tt_fetch_index_to(fetches.data[i])))
      mlirOperationDestroy(fetches.data[i]);
  return true;
}

static bool take(TtLearned *l, MlirOperation program, MlirOperation kernel, int way) {
  MlirContext context = mlirOperationGetContext(kernel);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  tt_erase_dead(kernel);
  TtOps loads = tt_collect(l->arena, kernel, "tt.load_index");
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirOperation load = loads.data[i];
    int64_t id = tt_int(tt_load_index_id(load));
    TtRange range = range_of(l, load);
    l->needed[id][way] = true;
    if (!add_cb(l, program, ways[way], TT_D_TYPE_INT32, i32, NULL, TT_CB_ROLE_INTERMEDIATE))
      return false;
    MlirValue cb = handle(l, kernel, ways[way], i32);
    TtBuilder b = tt_builder_before(load);
    tt_replace(load, tt_take_index_value(tt_take_index_create(&b, mlirOperationGetLocation(load),
                                                              cb, id, range.lo, range.hi,
                                                              ranged(range, context))));
  }
  return true;
}

bool tt_learn_indices(TtLearned *l, MlirOperation program, MlirOperation kernel,
                      TtKernelRole role) {
  if (l->n == 0) return true;
  return role == TT_KERNEL_ROLE_READER ? fetch(l, program, kernel)
                                       : take(l, program, kernel, role == TT_KERNEL_ROLE_WRITER);
}
