/* tt-opt: all of it is in the library. */
#include "tilewright/tilewright.h"

int main(int argc, char **argv) { return tilewright_opt_main(argc, argv); }
