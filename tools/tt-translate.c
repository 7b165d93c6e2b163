/* tt-translate: all of it is in the library. */
#include "tilewright/tilewright.h"

int main(int argc, char **argv) { return tilewright_translate_main(argc, argv); }
