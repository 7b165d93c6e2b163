/* tt-lsp-server: all of it is in the library. */
#include "tilewright/tilewright.h"

int main(int argc, char **argv) { return tilewright_lsp_server_main(argc, argv); }
