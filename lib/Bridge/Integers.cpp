// Integer points of linear constraints: MLIR's Presburger library has no C API.

#include "Support/integers.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

using namespace mlir::presburger;

extern "C" bool tt_find_integers(int variables, int num_rows, const int64_t *rows, int64_t *x) {
  IntegerPolyhedron points(PresburgerSpace::getSetSpace(variables));
  for (int i = 0; i < num_rows; ++i)
    points.addInequality(
        llvm::ArrayRef<int64_t>(rows + static_cast<size_t>(i) * (variables + 1), variables + 1));
  auto sample = points.findIntegerSample();
  if (!sample) return false;
  for (int i = 0; i < variables; ++i) x[i] = static_cast<int64_t>((*sample)[i]);
  return true;
}
