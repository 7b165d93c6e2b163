/* tt-opt: all of it is in the library, but on how many threads it runs.
 *
 * Threads, which verify the kernels of a module side by side, take longer to start than they save:
 * one of them, unless --mlir-disable-threading=false asks for more. */
#include "tilewright/tilewright.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char option[] = "--mlir-disable-threading";

/* Whether an argument is that option, with one dash or two, and with a value or none. */
static bool is_given(const char *argument) {
  size_t dashes = strspn(argument, "-"), n = strlen(option + 2);
  return dashes > 0 && strncmp(argument + dashes, option + 2, n) == 0 &&
         (argument[dashes + n] == '\0' || argument[dashes + n] == '=');
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (is_given(argv[i])) return tilewright_opt_main(argc, argv);
  char **all = calloc((size_t)argc + 2, sizeof *all);
  if (!all) {
    fprintf(stderr, "tt-opt: out of memory\n");
    return 1;
  }
  all[0] = argv[0], all[1] = (char *)option;
  for (int i = 1; i < argc; ++i) all[i + 1] = argv[i];
  int status = tilewright_opt_main(argc + 1, all);
  free(all);
  return status;
}
