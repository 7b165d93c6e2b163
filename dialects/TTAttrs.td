//===- TTAttrs.td - typed metadata ------------------------------------------===//
//
// Users write dictionaries; passes write these. The fields are exactly those of
// the pipeline specification, so a printed attribute reads like its schema:
//
//   tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved,
//                            tile_shape = [32, 32], dtype = bf16>
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_ATTRS
#define TILEWRIGHT_TT_ATTRS

include "TTEnums.td"

class TT_Attr<string name, string attrMnemonic> : AttrDef<TT_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def TT_Memory : TT_Enum<"Memory", "where a tensor lives", [
  I32EnumAttrCase<"DRAM", 0>, I32EnumAttrCase<"L1", 1>]>;
def TT_Layout : TT_Enum<"Layout", "how the tiles of a tensor are spread over banks", [
  I32EnumAttrCase<"interleaved", 0>, I32EnumAttrCase<"sharded", 1>]>;
def TT_ShardOrder : TT_Enum<"ShardOrder", "the order in which shards meet cores", [
  I32EnumAttrCase<"row_major", 0>, I32EnumAttrCase<"match_shard", 1>,
  I32EnumAttrCase<"block_linear", 2>]>;
def TT_AccessorKind : TT_Enum<"AccessorKind", "abstract until D2 binds it", [
  I32EnumAttrCase<"abstract_accessor", 0, "abstract">, I32EnumAttrCase<"bound", 1>]>;
def TT_StrideMode : TT_Enum<"StrideMode", "how a tile's index becomes an address", [
  I32EnumAttrCase<"tiled", 0>, I32EnumAttrCase<"sharded_tiles", 1, "sharded">]>;
def TT_KernelRole : TT_Enum<"KernelRole", "which of the three kernels", [
  I32EnumAttrCase<"reader", 0>, I32EnumAttrCase<"compute", 1>, I32EnumAttrCase<"writer", 2>]>;
def TT_PartitionMode : TT_Enum<"PartitionMode", "how work is given to cores", [
  I32EnumAttrCase<"global", 0>, I32EnumAttrCase<"local_shard", 1>]>;
def TT_DfgNodeKind : TT_Enum<"DfgNodeKind", "what a node of the tile dataflow graph does", [
  I32EnumAttrCase<"load", 0>, I32EnumAttrCase<"store", 1>, I32EnumAttrCase<"matmul", 2>,
  I32EnumAttrCase<"binary", 3>, I32EnumAttrCase<"unary", 4>, I32EnumAttrCase<"copy", 5>,
  I32EnumAttrCase<"pack", 6>, I32EnumAttrCase<"reduce", 7>]>;
def TT_DfgRole : TT_Enum<"DfgRole", "a node's side of its circular buffers", [
  I32EnumAttrCase<"producer", 0>, I32EnumAttrCase<"compute_role", 1, "compute">,
  I32EnumAttrCase<"consumer", 2>]>;
def TT_DfgEdgeKind : TT_Enum<"DfgEdgeKind", "how a block gets from one node to another", [
  I32EnumAttrCase<"data", 0>, I32EnumAttrCase<"dst", 1>, I32EnumAttrCase<"partial", 2>]>;
def TT_DfgOpportunityKind : TT_Enum<"DfgOpportunityKind", "what a graph leaves room for", [
  I32EnumAttrCase<"tile_reuse", 0>, I32EnumAttrCase<"cb_sharing", 1>,
  I32EnumAttrCase<"overlap", 2>]>;
def TT_DfgStatus : TT_Enum<"DfgStatus", "whether the chip has room for a graph's buffers", [
  I32EnumAttrCase<"valid", 0>, I32EnumAttrCase<"nearly_full", 1>]>;

def TT_Processor : TT_Enum<"Processor", "which of a core's processors runs a kernel", [
  I32EnumAttrCase<"dm0", 0>, I32EnumAttrCase<"dm1", 1>, I32EnumAttrCase<"compute_processors", 2, "compute">]>;

// As attributes of ops, which print the bare word.
def TT_DataFormatAttr : EnumAttr<TT_Dialect, TT_DataFormat, "data_format"> {
  let summary = "format of a circular buffer";
}
def TT_ProcessorAttr : EnumAttr<TT_Dialect, TT_Processor, "processor"> {
  let summary = "which of a core's processors runs a kernel";
  let description = "The two that move data, RISCV_0 and RISCV_1 of the API, or the three that compute.";
}

def TT_TargetAttr : TT_Attr<"Target", "target"> {
  let summary = "the chip and the worker grid that a module is compiled for";
  let description = [{
    `grid` is x by y. Limits and costs of a chip stand in one table of the
    compiler (`lib/Target/chips.def`), not here.

    `cbs`, where it stands, is how many circular buffers a program may have, fewer than the chip:
    the headers of an older era name fewer.

    Example: `module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>}`
  }];
  let parameters = (ins EnumParameter<TT_Arch>:$arch, "int64_t":$grid_x, "int64_t":$grid_y,
    DefaultValuedParameter<"int64_t", "0">:$cbs);
  let assemblyFormat = [{
    `<` `arch` `=` $arch `,` `grid` `=` custom<Grid>($grid_x, $grid_y) (`,` `cbs` `=` $cbs^)? `>`
  }];
}

def TT_NdShardAttr : TT_Attr<"NdShard", "nd_shard"> {
  let summary = "how a tensor is cut into shards, and the shards' projection on tiles";
  let description = [{
    `axes` names the dimensions, of which "M" and "N" are the last two. `block` goes with
    order block_linear: units of work are visited in squares of so many by so many.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$axes,
    ArrayRefParameter<"int64_t">:$grid, ArrayRefParameter<"int64_t">:$shard_shape_elems,
    EnumParameter<TT_ShardOrder>:$order, DefaultValuedParameter<"int64_t", "0">:$block,
    "bool":$align_tiles,
    ArrayRefParameter<"int64_t">:$projected_grid,
    ArrayRefParameter<"int64_t">:$projected_shard_tiles);
  let assemblyFormat = [{
    `<` `axes` `=` $axes `,` `grid` `=` custom<IntList>($grid) `,`
    `shard_shape_elems` `=` custom<IntList>($shard_shape_elems) `,`
    `order` `=` $order `,` `align_tiles` `=` $align_tiles `,`
    `projected_grid` `=` custom<IntList>($projected_grid) `,`
    `projected_shard_tiles` `=` custom<IntList>($projected_shard_tiles)
    (`,` `block` `=` $block^)? `>`
  }];
}

def TT_BufferAttr : TT_Attr<"Buffer", "buffer"> {
  let summary = "canonical layout of one tensor argument (pass A1)";
  let parameters = (ins EnumParameter<TT_Memory>:$memory, EnumParameter<TT_Layout>:$layout,
    ArrayRefParameter<"int64_t">:$tile_shape, EnumParameter<TT_DType>:$dtype,
    OptionalParameter<"::tilewright::tt::NdShardAttr">:$nd_shard,
    OptionalParameter<"::mlir::StringAttr">:$storage);
  let description = [{
    With `storage = "row_major"` the tensor is stored without tiles: a page is a row of a matrix,
    padded to a multiple of 32 elements, and there are as many rows as its tiles have.
  }];
  let assemblyFormat = [{
    `<` `memory` `=` $memory `,` `layout` `=` $layout `,`
    `tile_shape` `=` custom<IntList>($tile_shape) `,` `dtype` `=` $dtype
    (`storage` `=` $storage^)? (`,` `nd_shard` `=` $nd_shard^)? `>`
  }];
}

def TT_CBAttr : TT_Attr<"CB", "cb"> {
  let summary = "geometry of a circular buffer (pass A2): a page is a tile";
  let description = [{
    `page_size` is in bytes; `depth` is the number of blocks that the buffer
    holds, so it has `depth` times the pages of one block.
  }];
  let parameters = (ins "int64_t":$cb_id, "int64_t":$page_size, "int64_t":$depth,
    EnumParameter<TT_DataFormat>:$data_format);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TT_RuntimeBindingAttr : TT_Attr<"RuntimeBinding", "runtime_binding"> {
  let summary = "which runtime argument addresses a tensor (pass D2)";
  let parameters = (ins "int64_t":$runtime_arg_idx, "int64_t":$base_offset,
    "int64_t":$tile_size_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TT_TensorAccessorAttr : TT_Attr<"TensorAccessor", "tensor_accessor"> {
  let summary = "how kernels address one tensor (pass A3, bound by D2)";
  let parameters = (ins EnumParameter<TT_AccessorKind>:$type, StringRefParameter<>:$buffer_name,
    StringRefParameter<>:$layout_ref, EnumParameter<TT_StrideMode>:$stride_mode,
    OptionalParameter<"::tilewright::tt::NdShardAttr">:$nd_shard,
    OptionalParameter<"::tilewright::tt::RuntimeBindingAttr">:$runtime_binding);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TT_ComputeConfigAttr : TT_Attr<"ComputeConfig", "compute_config"> {
  let summary = "what the processors that compute are set to before a kernel runs";
  let description = [{
    `math_fidelity` is that of products on the FPU; with `fp32_dest_acc` DST holds 32 bits, half
    as many tiles; with `math_approx` functions of the vector unit may be approximate.
    `unpack_to_dest` are circular buffers of 32-bit formats whose tiles go to DST as they are, past
    the source registers, which would cut them.
  }];
  let parameters = (ins EnumParameter<TT_MathFidelity>:$math_fidelity, "bool":$fp32_dest_acc,
    "bool":$math_approx, OptionalParameter<"::mlir::ArrayAttr">:$unpack_to_dest);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TT_CoreRangeAttr : TT_Attr<"CoreRange", "core_range"> {
  let summary = "an inclusive rectangle of logical cores, (x, y) to (x, y)";
  let parameters = (ins ArrayRefParameter<"int64_t">:$start, ArrayRefParameter<"int64_t">:$end);
  let assemblyFormat = [{
    `<` `start` `=` custom<IntList>($start) `,` `end` `=` custom<IntList>($end) `>`
  }];
}

def TT_WorkAttr : TT_Attr<"Work", "work"> {
  let summary = "the units of work of one core: `count` grid cells from `start_id` on";
  let parameters = (ins ArrayRefParameter<"int64_t">:$core, "int64_t":$start_id, "int64_t":$count);
  let assemblyFormat = [{
    `<` `core` `=` custom<IntList>($core) `,` `start_id` `=` $start_id `,` `count` `=` $count `>`
  }];
}

def TT_DfgNodeAttr : TT_Attr<"DfgNode", "dfg_node"> {
  let summary = "an op of the tile dataflow graph";
  let description = [{
    A load or a store has one circular buffer, `cb`. An op that computes has `inputs` and an
    `output`, which is absent where its result stays in DST: an edge leads on from there. An
    op whose result a tt.pack_to_cb packs has that as its output; where a result is packed
    twice, the second pack is a node. `spill` is the circular buffer of partial sums.
  }];
  let parameters = (ins StringRefParameter<>:$id, EnumParameter<TT_DfgNodeKind>:$type,
    StringRefParameter<"of a load or a store", [{""}]>:$cb,
    OptionalParameter<"::mlir::ArrayAttr">:$inputs,
    StringRefParameter<"of what computes", [{""}]>:$output,
    StringRefParameter<"of partial sums", [{""}]>:$spill, EnumParameter<TT_DfgRole>:$role);
  let assemblyFormat = "`<` struct(params) `>`";
}
def TT_DfgEdgeAttr : TT_Attr<"DfgEdge", "dfg_edge"> {
  let summary = "a block that flows from one node to another";
  let description = [{
    Of type `data` through circular buffer `cb`, of type `dst` in the registers, of type
    `partial` as a sum that is not complete, through `cb`. A loop carries a block from a node
    to an earlier one, or to itself.
  }];
  let parameters = (ins StringRefParameter<>:$from, StringRefParameter<>:$to,
    StringRefParameter<"of data and partial sums", [{""}]>:$cb,
    EnumParameter<TT_DfgEdgeKind>:$type);
  let assemblyFormat = "`<` struct(params) `>`";
}
def TT_DfgCBAttr : TT_Attr<"DfgCB", "dfg_cb"> {
  let summary = "one circular buffer of the graph: its id, its role, its life";
  let description = [{
    `name` is that of the tt.alloc_cb, except for partial sums, which have none. It holds
    `depth` blocks of type `block`, of the tensor argument `tensor`, where it carries one.
    `first` and `last` are the positions, in program order, of the first and last node that
    touch it.
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$id,
    EnumParameter<TT_CBRole>:$role, StringRefParameter<>:$slot, "::mlir::Type":$block,
    "int64_t":$depth, StringRefParameter<"what it carries", [{""}]>:$tensor, "int64_t":$first,
    "int64_t":$last);
  let assemblyFormat = "`<` struct(params) `>`";
}
def TT_DfgOpportunityAttr : TT_Attr<"DfgOpportunity", "dfg_opportunity"> {
  let summary = "what a later pass may make use of";
  let description = [{
    `tile_reuse`: the nodes take the same tiles: one block that several ops read, blocks that
    several loads read at one place, or a load in a loop that does not move it. `cb_sharing`:
    the life of the second circular buffer has ended when that of the first starts, and it has
    the room. `overlap`: no node needs what another computes.
  }];
  let parameters = (ins EnumParameter<TT_DfgOpportunityKind>:$kind,
    OptionalParameter<"::mlir::ArrayAttr">:$nodes, OptionalParameter<"::mlir::ArrayAttr">:$cbs);
  let assemblyFormat = "`<` struct(params) `>`";
}
def TT_DfgValidationAttr : TT_Attr<"DfgValidation", "dfg_validation"> {
  let summary = "whether the circular buffers of a graph fit the chip";
  let parameters = (ins "int64_t":$total_cbs, "int64_t":$max_allowed,
    EnumParameter<TT_DfgStatus>:$status);
  let assemblyFormat = "`<` struct(params) `>`";
}
def TT_TileDfgAttr : TT_Attr<"TileDfg", "tile_dfg"> {
  let summary = "the tile dataflow graph of a kernel (pass C3)";
  let parameters = (ins "::mlir::ArrayAttr":$nodes, "::mlir::ArrayAttr":$edges,
    "::mlir::ArrayAttr":$cb_assignments, "::mlir::ArrayAttr":$opportunities,
    "::tilewright::tt::DfgValidationAttr":$validation);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
