/*===- run.h - tt-run: compile, emit, emulate, compare -----------------------------===*/

#ifndef TILEWRIGHT_RUN_H
#define TILEWRIGHT_RUN_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The whole of tt-run. Exit status: 0 if all went well, 1 after an error (a
 * result outside its tolerance is one), 2 for wrong usage. */
int tilewright_run_main(int argc, char **argv);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
