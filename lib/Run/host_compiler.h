/* Which compiler takes host programs, and the headers that it reads once for all of them. */
#ifndef TILEWRIGHT_HOST_COMPILER_H
#define TILEWRIGHT_HOST_COMPILER_H

#include "Run/options.h"
#include "Support/build_cache.h"

/* What we emit is to compile quickly; programs written by hand may compute much themselves.
 * TT_HOST_TRIED: one by hand, of whose faults nothing is said. */
typedef enum TtHostKind { TT_HOST_EMITTED, TT_HOST_BY_HAND, TT_HOST_TRIED } TtHostKind;

typedef struct TtHostCompiler {
  const char *program, *optimize; /* its name or path; the flag of its optimization */
  bool is_clang; /* it is the one that was found when this was built, not one of the user's */
} TtHostCompiler;

/* What CXX names; for emitted programs else Clang of the LLVM that this was built with, if it is
 * installed; else c++. */
TtHostCompiler tt_host_compiler(TtHostKind kind);

/* Whether a program includes the headers of the host API before it defines anything. */
bool tt_host_is_precompilable(TtArena *arena, const char *folder, const char *source);

/* Writes the words that make the compiler of `build`, in whose command they come last, use the
 * compiled headers: at most 4 in `words`, at most 2 in `libraries`; none if they cannot be made. */
void tt_host_use_precompiled(TtArena *arena, TtBuild build, const TtHostCompiler *compiler,
                             const char **words, const char **libraries);

/* Compiles a host program, from `folder`, against the emulator's headers, unless it was compiled
 * before: the program's path, or NULL after the compiler's errors or a message. */
char *tt_host_compile(TtArena *arena, const char *folder, const char *source, TtHostKind kind);

#endif
