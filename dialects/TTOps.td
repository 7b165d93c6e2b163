//===- TTOps.td - ops of the tt dialect -------------------------------------===//
//
// In this order: structure, protocol-free data movement, protocol-free compute,
// the compute protocol. Verifiers are C (lib/Dialect/verify_*.c); each rule
// there is numbered as it is here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_OPS
#define TILEWRIGHT_TT_OPS

include "TTBase.td"
include "TTAttrs.td"
include "TTTypes.td"
include "mlir/Interfaces/FunctionInterfaces.td"

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def TT_ProgramOp : TT_StructureOp<"program",
    [IsolatedFromAbove, Symbol, SymbolTable, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "one kernel after the split: all that the host sets up, and the kernels";
  let description = [{
    A symbol table that holds sets of cores (`tt.core_set`), circular buffers
    (`tt.circular_buffer`), kernels (`tt.kernel`) and the runtime arguments of their cores
    (`tt.core_args`, at most one). The metadata of the kernel that it was
    stands on it, and its type and the names of its arguments (`tt.args`).

    Constraints: (C1) only these inside; (C2) on a core there is at most one kernel for a
    processor, and two that move data use different NoCs; (C3) CB ids are unique; (C4) circular
    buffers and kernels name a set of cores of the program; (C5) what a kernel reads by
    `tt.runtime_arg`, the host gives: `tt.core_args`, or the size of an argument.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `:` $function_type attr-dict-with-keyword $body";
  let hasRegionVerifier = 1; // what it holds is verified first
}

def TT_CoreSetOp : TT_StructureOp<"core_set", [Symbol, HasParent<"ProgramOp">]> {
  let summary = "a set of cores of a program";
  let description = [{
    `ranges` are inclusive rectangles of logical cores. Constraints: (C1) there is one at least,
    and none is empty; (C2) they lie on the worker grid; (C3) no core is in two of them.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    TypedArrayAttrBase<TT_CoreRangeAttr, "rectangles of cores">:$ranges);
  let assemblyFormat = "$sym_name `=` $ranges attr-dict";
  let hasVerifier = 1;
}

def TT_CircularBufferOp : TT_StructureOp<"circular_buffer", [Symbol, HasParent<"ProgramOp">]> {
  let summary = "a circular buffer of a program";
  let description = [{
    A page is a tile of `format`. `pages` is the capacity. `buffer` names the tensor argument that
    is moved through it, if any. With `on_shard` it lies on the shard of that tensor that its
    core has, so that nothing moves; the value says what the kernel does with the tensor.
    What is said here is said nowhere else: `tt.cb.<buffer>` of the program repeats it and is
    checked against it.

    Constraints: (C1) the block has at least one tile and divides `pages`;
    (C2) `page_bytes` is the size of a tile in `format`; (C3) `on_shard` comes with `buffer`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$cores, TT_CBRole:$role,
    TypeAttrOf<TT_CBType>:$type, I64Attr:$id, I64Attr:$pages, I64Attr:$page_bytes,
    TT_DataFormatAttr:$format, OptionalAttr<StrAttr>:$buffer, OptionalAttr<TT_ShardUse>:$on_shard);
  let assemblyFormat = [{
    $sym_name `on` $cores $role $type `id` `=` $id `pages` `=` $pages `page_bytes` `=` $page_bytes
    `format` `=` `` $format (`buffer` `=` $buffer^)? (`on_shard` `=` $on_shard^)? attr-dict
  }];
  let hasVerifier = 1;
}

def TT_KernelOp : TT_StructureOp<"kernel", [FunctionOpInterface, IsolatedFromAbove,
    HasParent<"ProgramOp">, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a kernel of a program: what one processor of each of its cores runs";
  let description = [{
    `tt.kernel_role` says what it does, `processor` who runs it: `dm0` and `dm1`, which move data
    and are RISCV_0 and RISCV_1 of the API, or `compute`, the three that compute. `noc` is the
    NoC that a mover uses; `config` is what the processors that compute are set to, which
    --tt-configure-compute says where nobody has. Its arguments are those arguments of the program
    that it uses, by their names (`tt.name`).

    ```mlir
    tt.kernel @reader(%A: memref<64x64xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0
        attributes {tt.kernel_role = "reader"} {
      …
    }
    tt.kernel @compute() on @all processor = compute
        config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false>
        attributes {tt.kernel_role = "compute"} {
      …
    }
    ```

    Constraints: (C1) it has a role, `"reader"`, `"compute"` or `"writer"`; (C2) a compute kernel
    runs on `compute` and has no NoC, the others on `dm0` or `dm1`, with NoC 0 or 1, and no
    `config`; (C3) it has no results; (C4) `unpack_to_dest` of its `config` names circular buffers.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    FlatSymbolRefAttr:$cores, TT_ProcessorAttr:$processor, OptionalAttr<I64Attr>:$noc,
    OptionalAttr<TT_ComputeConfigAttr>:$config, OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def TT_ReturnOp : TT_StructureOp<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the end of a kernel, which is not written";
  let assemblyFormat = "attr-dict";
}

def TT_SemaphoreOp : TT_StructureOp<"semaphore", [Symbol, HasParent<"ProgramOp">]> {
  let summary = "a semaphore of a program: a word in the L1 of each of its cores";
  let description = [{
    Constraints: (C1) `init` fits 32 bits; (C2) a program has at most 16 semaphores.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$cores, I64Attr:$init);
  let assemblyFormat = "$sym_name `on` $cores `init` $init attr-dict";
  let hasVerifier = 1;
}

def TT_CoreArgsOp : TT_StructureOp<"core_args", [IsolatedFromAbove, HasParent<"ProgramOp">,
    SingleBlock]> {
  let summary = "the runtime arguments of a core, as the host computes them";
  let description = [{
    A region that runs once for each core of the program: of its logical coordinates, and of the
    sizes of dynamic dimensions of the program's arguments, in order. The host program prints it,
    the checks interpret it, the plan has what it gives. A kernel takes those of the names that it
    reads (`tt.runtime_arg`). Cores for which a kernel has nothing to do have `count` 0.

    ```mlir
    tt.core_args (%x, %y) -> ["start_id", "count"] {
      %c8 = arith.constant 8 : index
      %c1 = arith.constant 1 : index
      %0 = arith.muli %y, %c8 : index
      %start = arith.addi %0, %x : index
      tt.yield %start, %c1 : index, index
    }
    ```

    Constraints: (C1) there is a value for each name, and no name twice; canonical names come
    first, in their order; (C2) it holds constants, arithmetic of `arith` on indices and truth
    values, and `tt.worker_core`; (C3) it takes x, y and the sizes, all of them indices.
  }];
  let arguments = (ins StrArrayAttr:$names);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def TT_YieldOp : TT_StructureOp<"yield", [Pure, Terminator, HasParent<"CoreArgsOp">]> {
  let summary = "what a core gets";
  let arguments = (ins Variadic<Index>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def TT_WorkerCoreOp : TT_StructureOp<"worker_core", [Pure]> {
  let summary = "the coordinates on the NoC of a logical core";
  let description = [{
    What kernels address another core by; only the host knows it, so it stands in
    `tt.core_args`.
  }];
  let arguments = (ins Index:$x, Index:$y);
  let results = (outs Index:$noc_x, Index:$noc_y);
  let assemblyFormat = "$x `,` $y attr-dict";
}

def TT_GetCBOp : TT_StructureOp<"get_cb", [Pure]> {
  let summary = "the handle of one of the program's circular buffers";
  let description = "Constraints: (C1) the symbol names a circular buffer of the program, of this type.";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs TT_CBType:$cb);
  let assemblyFormat = "$name attr-dict `:` qualified(type($cb))";
  let hasVerifier = 1;
}

def TT_LaunchOp : TT_StructureOp<"launch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "run a program to its end, in a host function";
  let arguments = (ins FlatSymbolRefAttr:$program, Variadic<AnyType>:$args);
  let assemblyFormat = "$program `(` $args `)` attr-dict `:` functional-type($args, results)";
}

def TT_CoreCoordOp : TT_StructureOp<"core_coord", [Pure]> {
  let summary = "logical (x, y) of the core that runs this";
  let results = (outs Index:$x, Index:$y);
  let assemblyFormat = "attr-dict `:` type($x) `,` type($y)";
}

def TT_RuntimeArgOp : TT_StructureOp<"runtime_arg", [Pure]> {
  let summary = "the value that the host gave this core under a canonical name";
  let description = [{
    Names are those of `tt.runtime_args`: `start_id`, `count`, `Mt`, `Kt`, `Nt`,
    `Sm`, `Sn`, `Gy`, `Gx`, `sy`, `sx`, `gx`, `gy`, and `<tensor>_d<dimension>`, the size of a
    dynamic dimension in elements; after stage E also `<tensor>_addr`, and `index` is then its place in the kernel's list;
    and in a program all that its `tt.core_args` gives.

    Constraints: (C1) the name is one of these.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$index);
  let results = (outs Index:$value);
  let assemblyFormat = "$name (`at` $index^)? attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Protocol-free: data movement
//===----------------------------------------------------------------------===//

def TT_AllocCBOp : TT_ProtocolFreeOp<"alloc_cb", "any"> {
  let summary = "conceptual circular buffer";
  let description = [{
    `depth` is the number of blocks it holds; without it, pass A2's metadata of
    the tensor that is moved through it decides, else 2. Constraints: (C1) the
    depth is at least 1; (C2) the name is not empty.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$depth);
  let results = (outs Res<TT_CBType, "", [MemAlloc]>:$cb);
  let assemblyFormat = "$name (`depth` `=` $depth^)? attr-dict `:` qualified(type($cb))";
  let hasVerifier = 1;
}

def TT_CBViewOp : TT_ProtocolFreeOp<"cb_view", "compute", [Pure]> {
  let does = "view";
  let summary = "a circular buffer's block as a memref";
  let description = [{
    Between C1 and C2 structured ops still work on memrefs; this is the memref.
    Constraints: (C1) the memref has the block's elements.
  }];
  let arguments = (ins TT_CBType:$cb);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb)) `->` type($view)";
  let hasVerifier = 1;
}

class TT_MoveOp<string mnemonic, string r> : TT_ProtocolFreeOp<mnemonic, r,
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let moves = "tensor";
  let hasVerifier = 1;
}

def TT_ReadToCBOp : TT_MoveOp<"read_to_cb", "reader"> {
  let does = "load";
  let fills = "cb";
  let node = "load";
  let summary = "abstract DRAM to CB read of one block";
  let description = [{
    The block starts at `offsets`, in elements. It is a part of one matrix, the last
    two dimensions; of the others it takes one step. A vector is one row, and a
    dimension of one element is padded to a tile. A `partial` block may end behind the
    tensor: what is behind is zero. Constraints: (C1) an offset for
    each dimension; (C2) element types agree; (C3) constant offsets are
    multiples of a tile and the block lies inside the tensor, or starts there if it is
    partial; (C4) the tensor
    has at most eight dimensions.

    With `box` the block is any box of the tensor: `box` elements along each dimension, from any
    offset on. The element that is i[d] further in dimension d is at row sum(i[d] * `rows`[d]) and
    column sum(i[d] * `cols`[d]) of the block; what else its tiles hold is zero. Tiles of the tensor
    come to `scratch`, a circular buffer of the program, and their elements are stored from there.
    With `strides` the elements of the box are so far from each other in the tensor.
    (C5) `box`, `rows` and `cols` have a number for each dimension and keep inside of the block, and
    constant offsets keep the box inside of the tensor; (C6) strides are positive, one for each
    dimension, and go with a box that is not partial.

    Behind the offsets there may be as many sizes: how many elements a box that is partial has
    along each dimension, at most its own (C7).

    ```mlir
    // 64 rows of head %h, of 40 elements, of (batch, row, head, element)
    tt.read_to_cb %Q[%b, %m, %h, %c0], %q box = [1, 64, 1, 40] rows = [0, 1, 0, 0] cols = [0, 0, 0, 1]
      : memref<2x128x8x40xbf16>, !tt.cb<2x2xbf16>
    ```
  }];
  let arguments = (ins AnyMemRef:$tensor, Variadic<Index>:$offsets, TT_CBType:$cb, UnitAttr:$partial,
    OptionalAttr<DenseI64ArrayAttr>:$box, OptionalAttr<DenseI64ArrayAttr>:$rows,
    OptionalAttr<DenseI64ArrayAttr>:$cols, OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<FlatSymbolRefAttr>:$scratch);
  let assemblyFormat = [{
    $tensor `[` $offsets `]` `,` $cb (`partial` $partial^)?
    (`box` `=` $box^ `rows` `=` $rows `cols` `=` $cols)? (`strides` `=` $strides^)? (`through` $scratch^)?
    attr-dict `:` type($tensor) `,` qualified(type($cb))
  }];
}

def TT_WriteFromCBOp : TT_MoveOp<"write_from_cb", "writer"> {
  let does = "store";
  let reads = ["cb"];
  let takes = ["all"];
  let node = "store";
  let summary = "abstract CB to DRAM write of one block";
  let description = [{
    What a `partial` block has behind the tensor's end is not written. With `box` only its elements
    are written: runs of the tensor's rows, which are multiples of what the NoC writes, or, with
    `scratch`, whole tiles that come there before, so that no other core may write parts of them.
    Constraints as for `tt.read_to_cb`.
  }];
  let arguments = (ins TT_CBType:$cb, AnyMemRef:$tensor, Variadic<Index>:$offsets, UnitAttr:$partial,
    OptionalAttr<DenseI64ArrayAttr>:$box, OptionalAttr<DenseI64ArrayAttr>:$rows,
    OptionalAttr<DenseI64ArrayAttr>:$cols, OptionalAttr<FlatSymbolRefAttr>:$scratch);
  let assemblyFormat = [{
    $cb `,` $tensor `[` $offsets `]` (`partial` $partial^)?
    (`box` `=` $box^ `rows` `=` $rows `cols` `=` $cols)? (`through` $scratch^)?
    attr-dict `:` qualified(type($cb)) `,` type($tensor)
  }];
}

// Between D1 and D3, for circular buffers that lie on a shard.
class TT_ShardOp<string mnemonic, string r> : TT_ProtocolFreeOp<mnemonic, r,
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_CBType:$cb);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}

def TT_ShardToCBOp : TT_ShardOp<"shard_to_cb", "reader"> {
  let summary = "publish the next block of the shard that a circular buffer lies on";
  let description = "What `tt.read_to_cb` is where its block is in place already: nothing moves.";
}

def TT_ShardFromCBOp : TT_ShardOp<"shard_from_cb", "writer"> {
  let summary = "take back the next block of the shard that a circular buffer lies on";
  let description = "What `tt.write_from_cb` is where its block is in place already: nothing moves.";
}

def TT_IndexToCBOp : TT_ProtocolFreeOp<"index_to_cb", "reader", [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "load";
  let fills = "cb";
  let node = "load";
  let summary = "fill a tile with the indices of its elements";
  let description = [{
    Element (r, c) is r * `rows` + c * `cols`. Constraints: (C1) the circular buffer
    has one tile, of bf16 or f16; (C2) no value is beyond 256, up to which both hold integers.
  }];
  let arguments = (ins I64Attr:$rows, I64Attr:$cols, TT_CBType:$cb);
  let assemblyFormat = "`rows` `=` $rows `cols` `=` $cols `->` $cb attr-dict `:` qualified(type($cb))";
  let hasVerifier = 1;
}

def TT_GatherPartsOp : TT_ProtocolFreeOp<"gather_parts", "writer", [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "load";
  let reads = ["part"];
  let takes = ["all"];
  let fills = "all";
  let node = "load";
  let summary = "the tiles that the cores of a group have, each its own, on all of them";
  let description = [{
    A group is cores of one row of the grid, `apart` from each other, as many as `all` has tiles; `apart`
    groups stand side by side in as many cores of the row as they have, which is whole. The tiles of `all`
    are what the cores of the group have in `part`: the own one first, then those to its right, then
    those to its left. Cores of a group do the same steps, and wait for each other here.
    Constraints: (C1) `part` is one tile, and `all` a row of two or more of its element type;
    (C2) `apart` is at least 1.

    ```mlir
    tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %part : !tt.cb<1x4xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xf32>
    tt.gather_parts %part -> %all apart = 1 : !tt.cb<1x1xf32>, !tt.cb<1x8xf32>
    ```
  }];
  let arguments = (ins TT_CBType:$part, TT_CBType:$all, I64Attr:$apart);
  let assemblyFormat = [{
    $part `->` $all `apart` `=` $apart attr-dict `:` qualified(type($part)) `,` qualified(type($all))
  }];
  let hasVerifier = 1;
}

def TT_LoadIndexOp : TT_ProtocolFreeOp<"load_index", "any", [Pure]> {
  let summary = "an integer of a tensor, as an index";
  let description = [{
    Offsets, bounds and conditions may depend on it. The kernel does not write the tensor.
    Constraints: (C1) the tensor has integers of 8, 16, 32 or 64 bits; (C2) an index for each dimension.
  }];
  let arguments = (ins AnyMemRef:$tensor, Variadic<Index>:$at, OptionalAttr<I64Attr>:$id);
  let results = (outs Index:$value);
  let assemblyFormat = "($id^)? $tensor `[` $at `]` attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

// Between D1 and D3: what tt.load_index is in the kernel that reads the integer, and in those that
// learn it.
def TT_FetchIndexOp : TT_ProtocolFreeOp<"fetch_index", "reader", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read an integer of a tensor through a page of a circular buffer";
  let description = [{
    The other kernels of the core get it through the circular buffers in `to`. The
    integer is one of `lo` to `hi`, which the tensor's `tt.range` says if it is `ranged`.
  }];
  let arguments = (ins AnyMemRef:$tensor, Variadic<Index>:$at, TT_CBType:$cb, I64Attr:$id, I64Attr:$lo, I64Attr:$hi,
                   UnitAttr:$ranged, OptionalAttr<ArrayAttr>:$to);
  let results = (outs Index:$value);
  let assemblyFormat = [{
    $id $tensor `[` $at `]` `,` $cb (`to` $to^)? `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict
    `:` type($tensor) `,` qualified(type($cb))
  }];
}

def TT_TakeIndexOp : TT_ProtocolFreeOp<"take_index", "any", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the next integer that the reader has loaded";
  let description = "`id` is that of the `tt.fetch_index` that loads it.";
  let arguments = (ins TT_CBType:$cb, I64Attr:$id, I64Attr:$lo, I64Attr:$hi, UnitAttr:$ranged);
  let results = (outs Index:$value);
  let assemblyFormat = [{
    $id $cb `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict `:` qualified(type($cb))
  }];
}

//===----------------------------------------------------------------------===//
// Protocol-free: compute
//===----------------------------------------------------------------------===//
//
// A compute op works on whole blocks. Its result is in DST from tile `dst` on;
// `-> %cb` also packs it.

class TT_ComputeOp<string mnemonic> : TT_ProtocolFreeOp<mnemonic, "compute",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "compute";
  let unit = "fpu";
  let fills = "out";
  let dst = "dst";
  let dst_use = "replaces";
  let hasVerifier = 1;
}

def TT_MmMmaOp : TT_ComputeOp<"mm.mma"> {
  let reads = ["a", "b"];
  let takes = ["all", "all"];
  let dst_use = "adds";
  let node = "matmul";
  let summary = "matrix multiply-accumulate of an r x k by a k x c block";
  let description = [{
    Where `accumulate` is false the result replaces DST, else it is added. D1
    names a circular buffer of the program in `spill` where the result has more
    tiles than DST, or other ops use DST before the sum is complete: partial sums
    then wait there between steps. With
    `transpose_b`, b is a c x k block, and each of its tiles is transposed on its
    way to the engine, which costs nothing.
    Constraints: (C1) the blocks' inner sizes agree; (C2) the result block is
    r x c; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, I64Attr:$dst, I1:$accumulate,
    Optional<TT_CBType>:$out, OptionalAttr<FlatSymbolRefAttr>:$spill, UnitAttr:$transpose_b);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `,` `dst` `=` $dst `,` `accumulate` `=` $accumulate (`->` $out^)?
    (`spill` $spill^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) (`,` qualified(type($out))^)?
  }];
}

class TT_FpuBinaryOp<string op> : TT_ComputeOp<"fpu." # op> {
  let reads = ["a", "b"];
  let takes = ["all", "bcast"];
  let variant = op;
  let node = "binary";
  let summary = "elementwise binary op of two blocks on the FPU";
  let description = [{
    With `bcast rows`, b is a row of tiles, and the first row of each is taken for
    all rows of the block; with `cols`, a column of tiles, and the first column of
    each for all columns; with `scalar`, one tile, and its first element for all.
    Constraints: (C1) all blocks have one shape, but for b as its broadcast says;
    (C2) sub takes no row; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, OptionalAttr<TT_Bcast>:$bcast, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `,` $b (`bcast` $bcast^)? `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) (`,` qualified(type($out))^)?
  }];
}
def TT_FpuAddOp : TT_FpuBinaryOp<"add">;
def TT_FpuSubOp : TT_FpuBinaryOp<"sub">;
def TT_FpuMulOp : TT_FpuBinaryOp<"mul"> { let dst_use = "adds"; }

def TT_FpuReuseOp : TT_ComputeOp<"fpu.reuse"> {
  let reads = ["a"];
  let takes = ["all"];
  let dst_use = "changes";
  let node = "binary";
  let summary = "elementwise binary op of the block in DST and another, on the FPU, in place";
  let description = [{
    `op` is `add`, `mul`, `sub`, which subtracts the block from DST, or `rsub`, which
    subtracts DST from the block. The FPU takes what is in DST as bf16, so this is for
    DST of 16 bits, unless that much precision will do.
    Constraints: (C1) a compute op left a block in DST before this one, of the shape of
    the operand; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_Reuse:$op, TT_CBType:$a, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $a `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_CopyToDstOp : TT_ComputeOp<"copy_to_dst"> {
  let reads = ["a"];
  let takes = ["turned"];
  let takes_integers = true;
  let node = "copy";
  let summary = "copy a block to DST";
  let description = [{
    With `transpose`, the block is turned: its tiles change places, and so do the
    elements of each. With `repeat`, a is one tile, which is taken for each of the
    block. Constraints: (C1) all blocks have one shape, or turned ones, or a has one
    tile; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, UnitAttr:$transpose, UnitAttr:$repeat, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a (`transpose` $transpose^)? (`repeat` $repeat^)? `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_PartToDstOp : TT_ComputeOp<"part_to_dst"> {
  let reads = ["a"];
  let takes = ["part"];
  let takes_integers = true;
  let node = "copy";
  let summary = "copy a part of a block to DST";
  let description = [{
    The part starts at tile (`row`, `col`) of a and is as large as the result, whose block must lie
    inside of a. Constraints: (C1) the result has no more rows or columns of tiles than a, and a
    constant place keeps it inside; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, Index:$row, Index:$col, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `[` $row `,` $col `]` `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_InsetToDstOp : TT_ComputeOp<"inset_to_dst"> {
  let reads = ["a", "part"];
  let takes = ["all", "inset"];
  let takes_integers = true;
  let node = "copy";
  let summary = "copy a block to DST, with another one in the place of a part of it";
  let description = [{
    Tiles of `part` take the places from tile (`row`, `col`) on.
    Constraints: (C1) a is as large as the result, and the part no larger; a constant place keeps it
    inside; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$part, Index:$row, Index:$col, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `,` $part `at` `[` $row `,` $col `]` `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($part)) (`,` qualified(type($out))^)?
  }];
}

def TT_BcastToDstOp : TT_ComputeOp<"bcast_to_dst"> {
  let reads = ["a", "zeros"];
  let takes = ["bcast", "one"];
  let node = "copy";
  let summary = "copy a block to DST, broadcast";
  let description = [{
    The broadcast is that of `tt.fpu.add`; the block is added to `zeros`, a tile of
    zeros, which is the one form that every era of the API has.
    Constraints: (C1) `zeros` is one tile, and the result as large as the broadcast
    says; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_Bcast:$bcast, TT_CBType:$zeros, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `bcast` $bcast `onto` $zeros `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `onto` qualified(type($zeros)) (`,` qualified(type($out))^)?
  }];
}

def TT_FpuReduceOp : TT_ComputeOp<"fpu.reduce"> {
  let reads = ["a", "ones"];
  let takes = ["reduced", "one"];
  let dst_use = "adds";
  let node = "reduce";
  let summary = "sums or largest elements of the rows or columns of a block";
  let description = [{
    `op` is `sum_row`, `max_row`, `sum_col` or `max_col`, named as the API names its
    dimensions: `row` reduces each row to its first element and gives a column of
    tiles, `col` each column and gives a row of tiles. `ones` is a tile of ones.
    Sums are products with it, which keep the precision of DST over all tiles.
    Constraints: (C1) the result is r x 1 or 1 x c, `ones` one tile;
    (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, TT_CBType:$ones, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $a `,` $ones `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($ones)) (`,` qualified(type($out))^)?
  }];
}

class TT_SfpuBlockOp<string mnemonic> : TT_ComputeOp<"sfpu." # mnemonic> { let unit = "sfpu"; }

def TT_SfpuUnaryOp : TT_SfpuBlockOp<"unary"> {
  let dst_use = "changes";
  let node = "unary";
  let summary = "elementwise unary op on the block in DST, in place";
  let description = [{
    Functions with a scalar (`add_scalar`, `fill`, …) take it as `scalar`.
    Constraints: (C1) a compute op left a block in DST before this one, in the
    same region; (C2) `op` is a function of one tile; (C3) `dst` is not
    negative; (C4) there is a scalar exactly if the function takes one.
  }];
  let arguments = (ins TT_Sfpu:$op, I64Attr:$dst, OptionalAttr<F32Attr>:$scalar, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` `dst` `=` $dst (`scalar` `=` $scalar^)? (`->` $out^)? attr-dict (`:` qualified(type($out))^)?
  }];
}

def TT_SfpuScalarOp : TT_SfpuBlockOp<"scalar"> {
  let dst_use = "changes";
  let node = "unary";
  let summary = "as tt.sfpu.unary, with a scalar that is known when the kernel runs";
  let description = [{
    An index is taken as a float, and limited to plus and minus `limit`; with `steps`,
    tile (i, j) of the block takes `value` + i * steps[0] + j * steps[1].
    Constraints: (C2) `op` is a function with a scalar; (C3) `dst` is not
    negative; (C4) `steps` and `limit` go with an index, there are two steps, and the
    limit is positive.
  }];
  let arguments = (ins TT_Sfpu:$op, AnyTypeOf<[F32, BF16, F16, Index]>:$value,
    OptionalAttr<DenseI64ArrayAttr>:$steps, OptionalAttr<I64Attr>:$limit, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $value (`steps` $steps^)? (`limit` $limit^)? `,` `dst` `=` $dst (`->` $out^)?
    attr-dict `:` type($value) (`,` qualified(type($out))^)?
  }];
}

def TT_SfpuCombineOp : TT_SfpuBlockOp<"combine"> {
  let dst_sources = "sources";
  let node = "binary";
  let summary = "elementwise op on several blocks in DST: DST[dst] = op(DST[sources]...)";
  let description = [{
    Constraints: (C2) `op` is a function of as many tiles as `sources` names;
    (C3) no tile is negative.
  }];
  let arguments = (ins TT_Sfpu:$op, DenseI64ArrayAttr:$sources, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $sources `,` `dst` `=` $dst (`->` $out^)? attr-dict (`:` qualified(type($out))^)?
  }];
}

def TT_PackToCBOp : TT_ComputeOp<"pack_to_cb"> {
  let does = "pack_block";
  let unit = "packer";
  let dst_use = "reads";
  let init = "tt.pack.init";
  let node = "pack";
  let summary = "pack the block in DST, from tile `dst` on, to a circular buffer";
  let description = [{
    `tiles` is how many; without it, the whole block. They go to the pages that follow, or,
    with `place`, to those of the reservation from there on. D3 puts the reservation and the
    publication around it, D5 replaces it by the calls of the packer.
    Constraints: (C1) `tiles` is positive and divides the block; (C3) `dst` is
    not negative.
  }];
  let arguments = (ins I64Attr:$dst, OptionalAttr<I64Attr>:$tiles, TT_CBType:$out, Optional<Index>:$place);
  let assemblyFormat = [{
    `dst` `=` $dst (`tiles` `=` $tiles^)? `->` $out (`at` $place^)? attr-dict `:` qualified(type($out))
  }];
}

class TT_HoldOp<string mnemonic> : TT_ProtocolFreeOp<mnemonic, "compute",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_CBType:$cb);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}
def TT_CBOpenOp : TT_HoldOp<"cb_open"> {
  let does = "open";
  let summary = "from here on the block at the front is in use";
  let description = [{
    D1 brackets the uses of a block with `tt.cb_open` and `tt.cb_close` where
    more than one op reads it, or one reads it more than once; an op that is the
    only reader of its block needs neither.
  }];
}
def TT_CBCloseOp : TT_HoldOp<"cb_close"> {
  let does = "close";
  let summary = "the block at the front is not used any more";
}

//===----------------------------------------------------------------------===//
// Protocol: compute engine (D4) and DST (D5)
//===----------------------------------------------------------------------===//

class TT_EngineOp<string mnemonic> : TT_ProtocolOp<mnemonic, "compute",
    [MemoryEffects<[MemRead, MemWrite]>]>;

def TT_EngineInitCommonOp : TT_EngineOp<"engine.init_common"> {
  let does = "startup";
  let fills = "out";
  let summary = "start unpacker, math and packer; once, first";
  let description = [{
    `kind` is the first op that runs: matmul, binary or copy. Constraints:
    (C2) copy has one input, the others two.
  }];
  let arguments = (ins TT_Startup:$kind, Variadic<TT_CBType>:$inputs, TT_CBType:$out);
  let assemblyFormat = "$kind `,` $inputs `->` $out attr-dict `:` qualified(type($inputs)) `->` qualified(type($out))";
  let hasVerifier = 1;
}
// Sets a unit of the engine; circular buffers are read for their formats only.
class TT_InitOp<string mnemonic, string u> : TT_EngineOp<mnemonic> {
  let does = "set";
  let unit = u;
}
def TT_FpuMatmulInitOp : TT_InitOp<"fpu.matmul_init", "fpu"> {
  let mode = "matmul";
  let startup = "matmul";
  let summary = "prepare unpacker and math for matmul";
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, TT_CBType:$out, UnitAttr:$transpose_b);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `,` $out attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($out))
  }];
}
def TT_FpuBinaryInitOp : TT_InitOp<"fpu.binary_init", "fpu"> {
  let startup = "binary";
  let summary = "prepare unpacker and math for an elementwise binary op";
  let arguments = (ins TT_Binary:$op, TT_CBType:$a, TT_CBType:$b, TT_CBType:$out);
  let assemblyFormat = "$op `,` $a `,` $b `,` $out attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($out))";
}
def TT_FpuReduceInitOp : TT_InitOp<"fpu.reduce_init", "fpu"> {
  let does = "set_to_end"; // metalium.reduce_uninit ends it
  let mode = "reduce";
  let startup = "binary";
  let summary = "prepare unpacker, math and packer for a reduction; `metalium.reduce_uninit` ends it";
  let description = "Constraints: (C1) `op` is max_row or max_col.";
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, TT_CBType:$scaler, TT_CBType:$out);
  let assemblyFormat = "$op `,` $a `,` $scaler `,` $out attr-dict `:` qualified(type($a)) `,` qualified(type($scaler)) `,` qualified(type($out))";
  let hasVerifier = 1;
}
def TT_SfpuInitOp : TT_InitOp<"sfpu.init", "sfpu"> {
  let summary = "prepare the SFPU for a unary function";
  let arguments = (ins TT_Sfpu:$op);
  let assemblyFormat = "$op attr-dict";
}
def TT_PackInitOp : TT_InitOp<"pack.init", "packer"> {
  let summary = "prepare the packer for a circular buffer of another format";
  let arguments = (ins TT_CBType:$out);
  let assemblyFormat = "$out attr-dict `:` qualified(type($out))";
}

class TT_DstOp<string mnemonic> : TT_EngineOp<"dst." # mnemonic> {
  let does = "dst_" # mnemonic;
  let assemblyFormat = "attr-dict";
}
def TT_DstAcquireOp : TT_DstOp<"acquire"> { let summary = "math reserves a half of DST, all zero"; }
def TT_DstCommitOp : TT_DstOp<"commit"> { let summary = "math hands the half to the packer"; }
def TT_DstWaitOp : TT_DstOp<"wait"> { let summary = "the packer waits for the commit"; }
def TT_DstReleaseOp : TT_DstOp<"release"> { let summary = "the packer zeroes the half and hands it back"; }

#endif
