/*===- copy_cut_parts.c - --tt-copy-cut-parts ------------------------------------------------===
 *
 * A part of a tensor, or what dimensions were collapsed to, is copied where a reshape cuts one of
 * its dimensions, and grids take blocks whose rows and columns are both of that one: these stand
 * in no box of the tensor. So is one of which a ragged block takes elements that stand apart, as
 * the first ones of pairs. The host function can reshape the copy, which is a tensor of its own.
 *
 *   before  %p = tensor.extract_slice %x[0, 0] [144, 64] : tensor<144x71xf32> to …
 *           %e = tensor.expand_shape %p [[0], [1, 2]] : … into tensor<144x4x16xf32>
 *           scf.forall (%i) { … tensor.extract_slice %e[%i, 0, 0] [1, 4, 16] … }
 *   after   %p = …   %r = tensor.empty() : tensor<144x64xf32>
 *           %c = tensor.insert_slice %p into %r[0, 0] [144, 64]
 *           %e = tensor.expand_shape %c …
 *
 * Requires --tt-slice-reshapes, which takes blocks that are of one piece from before the reshape.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

/* Whether the last two of the dimensions `sizes` that have several elements are both in the range
 * [first, end). */
static bool are_of_one(intptr_t rank, const int64_t *sizes, intptr_t first, intptr_t end) {
  intptr_t found = 0;
  for (intptr_t d = rank; d-- > 0 && found < 2;) {
    if (sizes[d] == 1) continue;
    if (d < first || d >= end) return false;
    ++found;
  }
  return found == 2;
}

/* Whether a block of size `sizes`, some of which only a run knows, takes elements apart of what
 * dimensions [first, end) of `type` are cut of: one of the last ones, and several before it. */
static bool are_apart(MlirType type, const int64_t *sizes, intptr_t first, intptr_t end) {
  bool ragged = false, one = false, apart = false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    ragged |= sizes[d] == mlirShapedTypeGetDynamicSize();
  for (intptr_t d = end; d-- > first;) {
    one |= sizes[d] == 1 && mlirShapedTypeGetDimSize(type, d) > 1;
    apart |= one && sizes[d] != 1;
  }
  return ragged && apart;
}

/* Whether a user takes blocks of `value` with rows and columns of dimensions [first, end), or
 * elements apart. */
static bool is_taken_so(MlirValue value, intptr_t first, intptr_t end) {
  MlirType type = mlirValueGetType(value);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int64_t sizes[TT_SLICE_RANK];
    TtSlice slice;
    bool part = tt_is_extraction(user) && tt_slice_read(user, &slice);
    if (tt_op_is(user, "tensor.dim")) continue;
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
      sizes[d] = !part                                   ? mlirShapedTypeGetDimSize(type, d)
                 : tt_is_null_value(slice.size[d].value) ? slice.size[d].number
                                                         : mlirShapedTypeGetDynamicSize();
    if (are_of_one(mlirShapedTypeGetRank(type), sizes, first, end) ||
        are_apart(type, sizes, first, end))
      return true;
  }
  return false;
}

/* Whether a dimension that `expand` cuts is both rows and columns of a block. */
static bool cuts_blocks(MlirOperation expand) {
  MlirValue to = mlirOperationGetResult(expand, 0);
  MlirAttribute groups = tt_op_attr(expand, "reassociation");
  intptr_t at = 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    intptr_t n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    if (n > 1 && is_taken_so(to, at, at + n)) return true;
    at += n;
  }
  return false;
}

/* A tensor of its own with the elements of `value`. */
static MlirValue copy(TtBuilder *b, MlirLocation loc, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  TtSlice all = {.part = value, .whole = tt_empty(b, loc, type)};
  all.rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < all.rank; ++d) all.size[d].number = mlirShapedTypeGetDimSize(type, d);
  return tt_slice_create(b, loc, "tensor.insert_slice", &all, type);
}

static bool copy_cut_parts(TtArena *arena, MlirOperation func) {
  TtOps expands = tt_collect(arena, func, "tensor.expand_shape");
  for (intptr_t i = 0; i < expands.n; ++i) {
    MlirOperation expand = expands.data[i];
    MlirValue of = mlirOperationGetOperand(expand, 0);
    MlirOperation from = tt_defining_op(of);
    bool views = tt_op_is(from, "tensor.extract_slice") || tt_op_is(from, "tensor.collapse_shape");
    if (!views || tt_op_is(tt_parent(expand), "scf.forall") ||
        !mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(expand, 0))) ||
        mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(expand, 0))) >
            TT_SLICE_RANK ||
        !cuts_blocks(expand))
      continue;
    TtBuilder b = tt_builder_before(expand);
    mlirOperationSetOperand(expand, 0, copy(&b, mlirOperationGetLocation(expand), of));
  }
  return true;
}

bool tt_run_copy_cut_parts(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, copy_cut_parts);
}
