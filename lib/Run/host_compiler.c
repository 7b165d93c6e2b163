/*===- host_compiler.c - the headers that host programs share, read once ------------------===
 *
 *   host_precompiled.hpp -> Clang: its syntax and all that it instantiates, and a library of the
 *                           code of its functions, so that a program compiles only what is its own
 *                        -> GCC: its syntax; code and instances are made again for each program
 *
 * Of the three seconds that a small program takes with GCC, its own text takes a tenth. What is
 * made of the headers is kept by content, like the programs.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/host_compiler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 64 }; /* of a command line */

TtHostCompiler tt_host_compiler(TtHostKind kind) {
  static const char clang[] = TT_HOST_CLANG;
  const char *cxx = getenv("CXX");
  if (cxx && *cxx) return (TtHostCompiler){cxx, kind == TT_HOST_EMITTED ? "-Og" : "-O1", false};
  if (kind == TT_HOST_EMITTED && access(clang, X_OK) == 0)
    return (TtHostCompiler){clang, "-O0", true};
  return (TtHostCompiler){"c++", kind == TT_HOST_EMITTED ? "-Og" : "-O1", false};
}

bool tt_host_is_precompilable(TtArena *arena, const char *folder, const char *source) {
  static const char *const headers[] = {"#include <tt-metalium/host_api.hpp>",
                                        "#include <tt-metalium/distributed.hpp>"};
  char *path =
      *source == '/' ? (char *)(uintptr_t)source : tt_arena_printf(arena, "%s/%s", folder, source);
  FILE *file = fopen(path, "rb");
  char line[256];
  size_t found = 0;
  while (file && found < 2 && fgets(line, sizeof line, file) && strncmp(line, "#define", 7) != 0)
    for (size_t i = 0; i < 2; ++i) found += strncmp(line, headers[i], strlen(headers[i])) == 0;
  if (file) fclose(file);
  return found == 2;
}

/* Runs the compiler with these words behind those of its command; NULL if it fails. */
static char *make(TtArena *arena, TtBuild b, const char *const *more, const char *suffix) {
  const char *command[MAX_WORDS] = {NULL};
  char product[TT_PATH_BYTES];
  size_t n = 0;
  for (; b.command[n] && n + 8 < MAX_WORDS; ++n) command[n] = b.command[n];
  for (; *more; ++more) command[n++] = *more;
  b.command = command, b.libraries = NULL, b.suffix = suffix;
  return tt_build(&b, product) == TT_BUILD_OK ? tt_arena_printf(arena, "%s", product) : NULL;
}

static void use_gcc(TtArena *arena, TtBuild b, const char **words) {
  char header[TT_PATH_BYTES];
  if (!tt_build_precompile(&b, header)) return;
  words[0] = "-include", words[1] = tt_arena_printf(arena, "%s", header);
}

/* Files are told apart by content here: that a header is newer than what was made of it means
 * nothing, and its time is not kept. */
static void use_clang(TtArena *arena, TtBuild b, const TtHostCompiler *compiler, const char **words,
                      const char **libraries) {
  static const char *const more[] = {"-fPIC",
                                     "-fpch-instantiate-templates",
                                     "-fpch-codegen",
                                     "-Xclang",
                                     "-fno-pch-timestamp",
                                     "-x",
                                     "c++-header",
                                     NULL},
                           *const none[] = {NULL};
  char *headers = make(arena, b, more, ".pch");
  if (!headers) return;
  const char *const command[] = {compiler->program, compiler->optimize, "-w",
                                 "-fPIC",           "-shared",          NULL};
  b.command = command, b.source = headers;
  char *code = make(arena, b, none, ".so");
  if (!code) return;
  words[0] = "-fPIC", words[1] = "-include-pch", words[2] = headers;
  /* Instances that the headers only declare are asked for by functions that nothing calls. */
  libraries[0] = code, libraries[1] = "-Wl,--allow-shlib-undefined";
}

void tt_host_use_precompiled(TtArena *arena, TtBuild b, const TtHostCompiler *compiler,
                             const char **words, const char **libraries) {
  b.source = tt_arena_printf(arena, "%s/ttemu/host_precompiled.hpp", getenv("TTEMU_INCLUDE"));
  if (compiler->is_clang) use_clang(arena, b, compiler, words, libraries);
  else use_gcc(arena, b, words);
}
