//===- TTProgramOps.td - a device program and what it is made of -----------===//
//
// Verifiers are C (lib/Dialect/verify_*.c); each rule there is numbered as it is here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_PROGRAM_OPS
#define TILEWRIGHT_TT_PROGRAM_OPS

include "TTBase.td"
include "TTAttrs.td"
include "TTTypes.td"
include "mlir/Interfaces/FunctionInterfaces.td"

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
    `by_columns`: tiles of a block stand in it column by column, not row by row.
    What is said here is said nowhere else: `tt.cb.<buffer>` of the program repeats it and is
    checked against it.

    Constraints: (C1) the block has at least one tile and divides `pages`;
    (C2) `page_bytes` is the size of a tile in `format`; (C3) `on_shard` comes with `buffer`, and
    without `by_columns`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$cores, TT_CBRole:$role,
    TypeAttrOf<TT_CBType>:$type, I64Attr:$id, I64Attr:$pages, I64Attr:$page_bytes,
    TT_DataFormatAttr:$format, OptionalAttr<StrAttr>:$buffer, OptionalAttr<TT_ShardUse>:$on_shard,
    UnitAttr:$by_columns);
  let assemblyFormat = [{
    $sym_name `on` $cores $role $type `id` `=` $id `pages` `=` $pages `page_bytes` `=` $page_bytes
    `format` `=` `` $format (`buffer` `=` $buffer^)? (`on_shard` `=` $on_shard^)?
    (`by_columns` $by_columns^)? attr-dict
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

#endif
