/* Command line of tt-run. */
#ifndef TILEWRIGHT_OPTIONS_H
#define TILEWRIGHT_OPTIONS_H

#include "Run/run.h"

typedef struct TtPair {
  const char *name, *value;
} TtPair;

typedef struct TtRunOptions {
  const char *kernel;
  TtPair *inputs, *outputs, *shapes;
  int num_inputs, num_outputs, num_shapes;
  uint64_t seed, threads, max_events; /* 0: as the device chooses */
  bool check, explain, fast, strict, no_races, unverified, help, version;
  int against;      /* of TtPrecision: what results are compared with besides, of a model */
  bool is_host;     /* `kernel` is a host program in C++ */
  char **host_args; /* its arguments, after room for its name; ends with NULL */
  const char *arch, *grid, *optimize, *schedule, *keep, *trace, *report;
  const char *tune; /* where the schedule goes that tuning finds */
  uint64_t tune_seconds;
  /* Of a try of tuning: options of --tt-plan-model, where the clk of each kernel go. */
  const char *plan, *clks;
  bool plan_only; /* no run */
  TtApi api;
} TtRunOptions;

/* False after a message on standard error. */
bool tt_run_options_parse(TtArena *arena, int argc, char **argv, TtRunOptions *options);
void tt_run_options_help(FILE *file);

/* How many of the words after the option `word` are its value: 1 or 0. */
int tt_run_option_values(const char *word);

/* Hands a kernel in Python to tt-tilelang, in place of this process. Returns -1 if the kernel is
 * none, else an exit status after a message. */
int tt_python_run(TtArena *arena, int argc, char **argv);

/*===- Host programs (host.c) -----------------------------------------------------------===*/

/* Words of the command line for what a program includes beside the emulator's headers: folders,
 * the era, fmt, sources. Returns how many, at most `max`; `libraries`: those of others that it is
 * linked with, GoogleTest and protobuf, ended by NULL, or NULL. */
size_t tt_host_headers(TtArena *arena, const char *source, const char *include, const char **words,
                       size_t max, const char *const **libraries);
/* Runs a compiled host program in `folder`; false after a message if it fails. */
bool tt_host_execute(const char *folder, const char *program, char *const argv[]);
/* Sets what the emulated device reads from the environment. */
void tt_host_environment(TtArena *arena, const TtRunOptions *options, const char *arch);
/* Compiles and runs a host program written by hand; returns its exit status. */
int tt_host_run(TtArena *arena, const TtRunOptions *options);

#endif
