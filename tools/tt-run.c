/* tt-run: all of it is in the library. */
#include "tilewright/run.h"

int main(int argc, char **argv) { return tilewright_run_main(argc, argv); }
