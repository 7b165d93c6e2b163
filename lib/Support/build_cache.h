/* What a compiler makes, kept by content: the same source, compiled once. */
#ifndef TILEWRIGHT_BUILD_CACHE_H
#define TILEWRIGHT_BUILD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

enum { TT_PATH_BYTES = 4096 };

/* A complaint of the compiler, and flags with which it makes none. */
typedef struct TtBuildMend {
  const char *complaint; /* a part of the line */
  const char *const *flags;
} TtBuildMend;

/* A compiler's run. It starts in `base`; paths below it, and those that the compiler tells
 * without a leading slash, are found again below another base. */
typedef struct TtBuild {
  const char *cache;   /* the folder of products, from tt_build_folder */
  const char *base;    /* an absolute path, or "." */
  const char *source;  /* as the compiler is to be given it */
  const char *subject; /* a file below `base` that the source includes by a place, or NULL */
  const char *suffix;  /* of the product's name, such as ".so" */
  /* Ended by NULL: the compiler and its flags; flags that say where `base` and the subject are,
   * which do not change the product; what follows the source, such as libraries. */
  const char *const *command, *const *places, *const *libraries;
  /* Where these are all that it complains of, it runs once more, with their flags. Ended by a
   * complaint of NULL; or NULL. */
  const TtBuildMend *mends;
  bool quiet; /* what the compiler complains of is not said */
} TtBuild;

typedef enum TtBuildStatus {
  TT_BUILD_OK,
  TT_BUILD_COMPILER,   /* it ended with an error, and has said why */
  TT_BUILD_IMPOSSIBLE, /* it, or a file, could not be used: `product` says why */
} TtBuildStatus;

/* The folder of products: TTEMU_CACHE, else below XDG_CACHE_HOME, else in /tmp; made where it is
 * missing. False after writing into `folder` why it cannot be used. */
bool tt_build_folder(char folder[TT_PATH_BYTES]);

/* Writes the product's path. The compiler runs only if there is no product yet of the same
 * command, compiler, source, and files that the source includes. Processes that ask for the same
 * at once compile it once. */
TtBuildStatus tt_build(const TtBuild *build, char product[TT_PATH_BYTES]);

/* Compiles the header `build->source` for GCC's command with the same flags; writes the path of
 * the header to include first, by `-include`, which is never more than the source as it is. False
 * if it cannot be made. The suffix and libraries of `build` do not matter. */
bool tt_build_precompile(const TtBuild *build, char header[TT_PATH_BYTES]);

/* A file of the cache with this text, named after it: for sources that are no files. */
bool tt_build_keep_text(const char *cache, const char *text, const char *suffix,
                        char path[TT_PATH_BYTES]);

#endif
