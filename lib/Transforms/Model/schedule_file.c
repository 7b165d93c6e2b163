/*===- schedule_file.c - schedules of models, in a module and in a file -------------------------===
 *
 *   module attributes {transform.with_named_sequence} {
 *     transform.named_sequence @tt_schedule(%model: !transform.any_op)
 *         attributes {tt.stream = "none"} { … }
 *   }
 *
 *===----------------------------------------------------------------------===*/

#include "Support/text.h"
#include "Transforms/Model/schedule.h"

#include <errno.h>
#include <string.h>

const char *const tt_schedule_name = "tt_schedule";

MlirOperation tt_find_schedule(TtArena *arena, MlirOperation module) {
  TtOps all = tt_collect(arena, module, "transform.named_sequence");
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_str_eq(tt_symbol_name(all.data[i]), tt_schedule_name)) return all.data[i];
  return (MlirOperation){NULL};
}

static bool read_file(const char *path, TtText *text) {
  FILE *file = fopen(path, "r");
  if (!file) return false;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) tt_text_append(text, part, n);
  bool ok = !ferror(file);
  fclose(file);
  return ok;
}

MlirModule tt_load_schedule(MlirOperation module, const char *path) {
  TtText text = {NULL, 0, 0};
  MlirModule none = {NULL};
  if (!read_file(path, &text)) {
    tt_error(module, "cannot read the schedule '%s': %s", path, strerror(errno));
    tt_text_free(&text);
    return none;
  }
  MlirStringRef source = {text.n > 0 ? text.data : "", text.n};
  MlirModule schedule = mlirModuleCreateParse(mlirOperationGetContext(module), source);
  tt_text_free(&text);
  if (mlirModuleIsNull(schedule))
    tt_error(module, "the schedule '%s' is no MLIR; write one with --tt-plan-model, and edit it",
             path);
  return schedule;
}

/*===- What it was made with ------------------------------------------------------------------===*/

static const char *const words[] = {
    [TT_STREAM_AUTO] = "auto", [TT_STREAM_ALL] = "all", [TT_STREAM_NONE] = "none"};

const char *tt_stream_word(TtStreamWhen when) { return words[when]; }

static bool parse(MlirOperation at, MlirStringRef word, TtStreamWhen *when) {
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (tt_str_eq(word, words[i])) return *when = (TtStreamWhen)i, true;
  return tt_error(at,
                  "stream=%.*s: expected auto (attention is one kernel over blocks of keys where "
                  "that is faster), all or none",
                  (int)word.length, word.data);
}

/* What the schedule `sequence` says of it. */
static bool read_noted(MlirOperation sequence, TtStreamWhen *when) {
  MlirAttribute noted =
      mlirOperationIsNull(sequence) ? (MlirAttribute){NULL} : tt_get_attr(sequence, "tt.stream");
  return mlirAttributeIsNull(noted) || parse(sequence, tt_string(noted), when);
}

bool tt_read_stream(TtArena *arena, MlirOperation module, const TtPassOptions *options,
                    TtStreamWhen *when) {
  const char *given = options->values[TT_SCHEDULE_STREAM],
             *path = options->values[TT_SCHEDULE_FILE];
  *when = strcmp(options->values[TT_SCHEDULE_FUSE], "none") == 0 ? TT_STREAM_NONE : TT_STREAM_AUTO;
  if (*given && !parse(module, tt_str(given), when)) return false;
  if (!*path) return *given || read_noted(tt_find_schedule(arena, module), when);
  MlirModule file = tt_load_schedule(module, path);
  bool ok = !mlirModuleIsNull(file) &&
            read_noted(tt_find_schedule(arena, mlirModuleGetOperation(file)), when);
  if (!mlirModuleIsNull(file)) mlirModuleDestroy(file);
  return ok;
}
