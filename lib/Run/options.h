/* Command line of tt-run. */
#ifndef TILEWRIGHT_OPTIONS_H
#define TILEWRIGHT_OPTIONS_H

#include "run.h"

typedef struct TtPair {
  const char *name, *value;
} TtPair;

typedef struct TtRunOptions {
  const char *kernel;
  TtPair *inputs, *outputs;
  int num_inputs, num_outputs;
  uint64_t seed;
  bool check, fast, help;
  const char *arch, *grid, *keep;
  TtApi api;
} TtRunOptions;

/* False after a message on standard error. */
bool tt_run_options_parse(TtArena *arena, int argc, char **argv, TtRunOptions *options);
void tt_run_options_help(FILE *file);

#endif
