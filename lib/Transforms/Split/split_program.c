/*===- split_program.c - D1: the program and its circular buffers -------------------------------===
 *
 *   tt.program @gemm : (…) -> () attributes {…} {
 *     tt.core_set @all = […]
 *     tt.circular_buffer @cb_in0 on @all input id = 0 pages = 8 buffer = "A" …
 *   }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/split_program.h"

#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Transforms/Partition/partition.h"
#include "Transforms/Split/local_shards.h"
#include "Transforms/Split/split.h"

/* A circular buffer of the program to be. */
typedef struct NewCB {
  const char *name;
  MlirType type;
  TtCBRole role;
  int64_t id, depth;
  const TtArg *moved; /* tensor, or NULL */
  TtLocalShard shard;
} NewCB;

bool tt_split_check_l1(TtSplit *s, const char *what, int64_t pages, int64_t page) {
  int64_t l1 = tt_usable_l1(tt_target_of(s->program).chip);
  s->l1_bytes += page * pages;
  if (s->l1_bytes <= l1) return true;
  return tt_error(s->func,
                  "[rule 8] with %s (%jd pages of %jd bytes) the circular buffers%s need %jd "
                  "bytes, but L1 has %jd; use smaller blocks or a lower tt.num_stages",
                  what, (intmax_t)pages, (intmax_t)page,
                  s->has_l1_tensors ? " and tensors in L1" : "", (intmax_t)s->l1_bytes,
                  (intmax_t)l1);
}

MlirAttribute tt_all_cores(MlirContext context) {
  return mlirFlatSymbolRefAttrGet(context, tt_str("all"));
}

static bool add_cb(TtSplit *s, NewCB new) {
  MlirContext context = s->members.context;
  TtDType dtype = TT_D_TYPE_BF16;
  tt_dtype_of(tt_cb_type_element_type(new.type), &dtype);
  if (new.moved) dtype = tt_stored_as(s->func, new.moved);
  else if (tt_format(dtype)->exponent && tt_format(dtype)->exponent != tt_kernel_exponent(s->func))
    dtype = TT_D_TYPE_FP32; /* which holds these, and goes with the others */
  const TtArg *local = new.shard.tensor, *tensor = local ? local : new.moved;
  int64_t page = tt_format(dtype)->tile_bytes, tiles = tt_cb_tiles(new.type);
  int64_t pages = local ? new.shard.tiles : new.depth * tiles;
  MlirAttribute none = mlirAttributeGetNull(),
                format = tt_data_format_attr_get(context, tt_data_format_of(dtype));
  tt_circular_buffer_create(
      &s->members, mlirOperationGetLocation(s->func), new.name, tt_all_cores(context), new.role,
      mlirTypeAttrGet(new.type), new.id, pages, page, format,
      tensor ? tt_string_attr(context, tensor->name) : none,
      local ? tt_i32_attr(context, new.shard.written ? TT_SHARD_USE_WRITTEN : TT_SHARD_USE_READ)
            : none,
      none);
  return local || tt_split_check_l1(s, new.name, pages, page);
}

/* What a core holds of the tensors in L1. */
static bool count_tensors(TtSplit *s) {
  s->l1_bytes += tt_l1_beside(s->func);
  for (intptr_t i = 0; i < s->dfg.args.n; ++i) {
    const TtArg *arg = &s->dfg.args.data[i];
    MlirAttribute buffer =
        arg->is_tensor ? tt_named_attr(s->func, "buffer", arg->name) : mlirAttributeGetNull();
    int64_t bytes = tt_l1_bytes_of(buffer, arg->type, tt_target_of(s->program));
    if (bytes == 0) continue;
    int64_t page = tt_format(tt_stored_as(s->func, arg))->tile_bytes;
    s->has_l1_tensors = true;
    if (!tt_split_check_l1(s, tt_arena_printf(s->arena, "tensor '%s'", arg->name), bytes / page,
                           page))
      return false;
  }
  return true;
}

static bool add_cbs(TtSplit *s) {
  for (intptr_t i = 0; i < s->dfg.n; ++i) {
    const TtCB *cb = &s->dfg.cbs[i];
    if (!add_cb(s, (NewCB){cb->name, cb->type, cb->role, cb->id, cb->depth, cb->tensor,
                           tt_local_shard(s->arena, s->func, &s->dfg, cb)}))
      return false;
  }
  return true;
}

/* tt.cb.<tensor> says from here on what its first circular buffer is. */
static void note_geometry(TtSplit *s) {
  MlirContext context = s->members.context;
  TtOps cbs = tt_collect(s->arena, s->program, "tt.circular_buffer");
  for (intptr_t i = cbs.n; i-- > 0;) {
    MlirOperation cb = cbs.data[i];
    MlirAttribute tensor = tt_circular_buffer_buffer(cb);
    if (mlirAttributeIsNull(tensor)) continue;
    int64_t block = tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(cb)));
    tt_set_named_attr(s->program, "cb", tt_arena_str(s->arena, tt_string(tensor)),
                      tt_cb_attr_get(context, tt_int(tt_circular_buffer_id(cb)),
                                     tt_int(tt_circular_buffer_page_bytes(cb)),
                                     tt_int(tt_circular_buffer_pages(cb)) / block,
                                     tt_cb_format(cb)));
  }
}

/* Products say which circular buffer has their partial sums. */
static bool add_spills(TtSplit *s) {
  for (intptr_t i = 0; i < s->dfg.num_spills; ++i) {
    const TtCB *cb = &s->dfg.spills[i];
    if (!add_cb(s, (NewCB){.name = cb->name,
                           .type = cb->type,
                           .role = cb->role,
                           .id = cb->id,
                           .depth = cb->depth}))
      return false;
  }
  for (intptr_t i = 0; i < s->dfg.num_graph; ++i)
    if (s->dfg.graph[i].spill)
      mlirOperationSetInherentAttributeByName(
          s->dfg.graph[i].op, tt_str("spill"),
          mlirFlatSymbolRefAttrGet(s->members.context, tt_str(s->dfg.graph[i].spill->name)));
  return true;
}

static void create_program(TtSplit *s) {
  MlirContext context = mlirOperationGetContext(s->func);
  TtBuilder b = tt_builder_before(s->func);
  char *name = tt_arena_str(s->arena, tt_symbol_name(s->func));
  s->program = tt_program_create(&b, mlirOperationGetLocation(s->func), name,
                                 tt_op_attr(s->func, "function_type"));
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(s->func); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(s->func, i);
    if (!tt_str_eq(mlirIdentifierStr(attr.name), "tt.kernel"))
      mlirOperationSetDiscardableAttributeByName(s->program, mlirIdentifierStr(attr.name),
                                                 attr.attribute);
  }
  MlirAttribute *names = tt_arena_alloc(s->arena, (size_t)(s->dfg.args.n + 1) * sizeof *names);
  for (intptr_t i = 0; i < s->dfg.args.n; ++i) {
    MlirAttribute range = tt_arg_attr(s->func, i, "tt.range"),
                  file = tt_arg_attr(s->func, i, "tt.file");
    if (!mlirAttributeIsNull(file))
      tt_set_named_attr(s->program, "file", s->dfg.args.data[i].name, file);
    names[i] = tt_string_attr(context, s->dfg.args.data[i].name);
    if (!mlirAttributeIsNull(range))
      tt_set_named_attr(s->program, "range", s->dfg.args.data[i].name, range);
  }
  tt_set_attr(s->program, "tt.args", mlirArrayAttrGet(context, s->dfg.args.n, names));
  tt_set_attr(s->program, "tt.fp32_dest_acc", mlirBoolAttrGet(context, tt_dst_is_32bit(s->func)));
  s->members = tt_builder_at_end(tt_body(s->program));
  tt_core_set_create(&s->members, mlirOperationGetLocation(s->func), "all",
                     tt_get_attr(s->func, "tt.core_ranges"));
}

bool tt_split_program(TtSplit *s) {
  create_program(s);
  if (!count_tensors(s) || !add_cbs(s) || !add_spills(s)) return false;
  note_geometry(s);
  return true;
}
