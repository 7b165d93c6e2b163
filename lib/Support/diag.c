/*===- diag.c - errors at an op's location, and suggestions -------------------===*/

#include "tilewright/ir.h"

#include "Support/input_op.h"

#include "mlir-c/Diagnostics.h"

#include <string.h>

typedef void (*Emit)(MlirLocation, const char *);

static _Thread_local bool is_silent;

bool tt_silence(bool silent) {
  bool before = is_silent;
  is_silent = silent;
  return before;
}

bool tt_is_silent(void) { return is_silent; }

static void emit(MlirLocation loc, Emit how, const char *format, va_list args) {
  char text[2048];
  if (is_silent) return;
  vsnprintf(text, sizeof text, format, args);
  how(loc, text);
}

MlirLocation tt_place_of(MlirOperation op) {
  MlirLocation none = mlirLocationUnknownGet(mlirOperationGetContext(op));
  MlirOperation at = op;
  while (!mlirOperationIsNull(at) && mlirLocationEqual(mlirOperationGetLocation(at), none))
    at = mlirOperationGetParentOperation(at);
  return mlirOperationIsNull(at) ? none : mlirOperationGetLocation(at);
}

/* What passes have made of an op of a model is not to be seen in the model, so that a note says
 * which op it was. */
bool tt_error(MlirOperation op, const char *format, ...) {
  char text[2048], note[256];
  MlirLocation loc = tt_place_of(op);
  MlirStringRef name = tt_op_name(op), was = tt_input_op(loc);
  va_list args;
  if (is_silent) return false;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (was.length == 0 || mlirStringRefEqual(name, was)) return mlirEmitError(loc, text), false;
  const char *const notes[] = {note};
  snprintf(note, sizeof note, "this is what was made of '%.*s'", (int)was.length, was.data);
  tt_emit_error_with_notes(loc, text, 1, &loc, notes);
  return false;
}

bool tt_error_at(MlirLocation loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(loc, mlirEmitError, format, args);
  va_end(args);
  return false;
}

bool tt_error_with_notes(MlirOperation op, int n, const MlirLocation *places,
                         const char *const *notes, const char *format, ...) {
  char text[2048];
  va_list args;
  if (is_silent) return false;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  tt_emit_error_with_notes(tt_place_of(op), text, n, places, notes);
  return false;
}

void tt_warning(MlirOperation op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(tt_place_of(op), tt_emit_warning, format, args);
  va_end(args);
}

bool tt_remarks_wanted(MlirOperation op) {
  return !is_silent && tt_has_remark_engine(mlirOperationGetContext(op));
}

/* Levenshtein distance of short words; long ones count as far apart. */
static size_t distance(MlirStringRef a, const char *b) {
  enum { LONGEST = 63 };
  size_t n = strlen(b), row[LONGEST + 1];
  if (a.length > LONGEST || n > LONGEST) return LONGEST;
  for (size_t j = 0; j <= n; ++j) row[j] = j;
  for (size_t i = 1; i <= a.length; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; ++j) {
      size_t best = diagonal + (a.data[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[n];
}

const char *tt_suggest(MlirStringRef text, const char *const *candidates, size_t n) {
  const char *best = NULL;
  size_t least = text.length / 2 + 2;
  for (size_t i = 0; i < n; ++i) {
    size_t d = distance(text, candidates[i]), length = strlen(candidates[i]);
    if (d >= text.length && d >= length) continue; /* not a letter in common */
    if (d < least) least = d, best = candidates[i];
  }
  return best;
}
