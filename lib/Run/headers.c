/*===- headers.c - what a host program includes ---------------------------------------------===
 *
 * A program of a larger tree is compiled there with folders of its build system. Here they
 * are found from the program: a header that neither the emulator has nor stands beside the file
 * that names it is looked for in the program's folder and those in it, in the folders above, and in
 * those beside these, and in the tree that TT_METAL_HOME names. Folders of the environment variable
 * CPATH come first. A program in the SDK's own tree finds what its build has there, with the
 * sources that stand beside a header of its own. Libraries of others that its headers name are
 * linked: GoogleTest, protobuf.
 *
 *   apps/one/main.cpp: #include <shape.hpp>   -> -Iapps/common, where shape.hpp is
 *   tests/one/main.cpp: #include "helpers.hpp" -> -includetests/one/helpers.cpp, if it is there
 *
 *===----------------------------------------------------------------------===*/

#include "Run/options.h"
#include "Target/eras.h"
#include "tilewright/run.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LEVELS = 6, MAX_FILES = 256, MAX_LINE = 1024, MAX_LIBRARIES = 5 };

typedef struct Search {
  TtArena *arena;
  const char *include;    /* the emulator's headers */
  const char *folder;     /* of the program */
  char *files[MAX_FILES]; /* that were found, the program first */
  size_t num_files;
  const char **words; /* of the command line */
  size_t num_words, max_words;
  bool prints;       /* with fmt, which the vendor's headers bring along */
  bool tests, mocks; /* with GoogleTest, and its mocks and matchers */
  bool messages;     /* with protobuf */
} Search;

/* What the SDK's own build searches for headers of hosts and tests, from the top of its tree. */
static const char *const sdk_folders[] = {"tt_stl",
                                          "tt_metal",
                                          "tt_metal/api",
                                          "tt_metal/common",
                                          "tt_metal/impl",
                                          "tt_metal/hostdevcommon/api",
                                          "tests",
                                          "tests/tt_metal",
                                          "tests/tt_metal/tt_metal",
                                          "tests/tt_metal/test_utils",
                                          "tests/tt_metal/tt_metal/common"};

static void add_word(Search *s, const char *word) {
  for (size_t i = 0; i < s->num_words; ++i)
    if (strcmp(s->words[i], word) == 0) return;
  if (s->num_words < s->max_words) s->words[s->num_words++] = word;
}

/* A name like "../helpers.hpp" is that of the file itself, which may have a source beside it. */
static void add_file(Search *s, char *path) {
  char *real = strstr(path, "/../") ? realpath(path, NULL) : NULL;
  if (real) path = tt_arena_printf(s->arena, "%s", real);
  free(real);
  for (size_t i = 0; i < s->num_files; ++i)
    if (strcmp(s->files[i], path) == 0) return;
  if (s->num_files < MAX_FILES) s->files[s->num_files++] = path;
}

/* Whether `folder` has the header; then it is searched as well. */
static bool take(Search *s, const char *folder, const char *name) {
  char *path = tt_arena_printf(s->arena, "%s/%s", folder, name);
  if (access(path, R_OK) != 0) return false;
  add_word(s, tt_arena_printf(s->arena, "-I%s", folder));
  add_file(s, path);
  return true;
}

static bool take_from_children(Search *s, const char *folder, const char *name) {
  DIR *dir = opendir(folder);
  bool found = false;
  for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
    if (entry->d_name[0] != '.')
      found = take(s, tt_arena_printf(s->arena, "%s/%s", folder, entry->d_name), name);
  if (dir) closedir(dir);
  return found;
}

/* Folders that the caller gives the compiler: a header there is read, too. */
static bool take_from_cpath(Search *s, const char *name) {
  const char *given = getenv("CPATH");
  char *all = tt_arena_printf(s->arena, "%s", given ? given : ""), *rest = NULL;
  for (char *at = strtok_r(all, ":", &rest); at; at = strtok_r(NULL, ":", &rest)) {
    char *path = tt_arena_printf(s->arena, "%s/%s", at, name);
    if (access(path, R_OK) != 0) continue;
    add_file(s, path);
    return true;
  }
  return false;
}

static bool take_from_sdk(Search *s, const char *top, const char *name) {
  for (size_t i = 0; i < sizeof sdk_folders / sizeof *sdk_folders; ++i)
    if (take(s, tt_arena_printf(s->arena, "%s/%s", top, sdk_folders[i]), name)) return true;
  return false;
}

/* A header beside the file that names it, as compilers look first. */
static bool take_from_beside(Search *s, const char *includer, const char *name) {
  const int n = (int)(strrchr(includer, '/') - includer);
  char *path = tt_arena_printf(s->arena, "%.*s/%s", n, includer, name);
  if (access(path, R_OK) != 0) return false;
  add_file(s, path);
  return true;
}

/* In the program's folder, those above it, and those beside these. */
static bool take_from_above(Search *s, const char *name) {
  if (take(s, s->folder, name) || take_from_children(s, s->folder, name)) return true;
  char *above = tt_arena_printf(s->arena, "%s", s->folder);
  for (int level = 0; level < MAX_LEVELS; ++level) {
    char *slash = strrchr(above, '/');
    if (!slash || slash == above) return false;
    *slash = '\0';
    /* A path with folders is from a root; one without may be in any folder of the tree. */
    if (take(s, above, name)) return true;
    if (!strchr(name, '/') && level < 2 && take_from_children(s, above, name)) return true;
    if (take_from_sdk(s, above, name)) return true;
  }
  return false;
}

static void find(Search *s, const char *includer, const char *name) {
  static const char *const ours[] = {"host/", "host/impl/", ""};
  if (take_from_beside(s, includer, name)) return;
  for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
    if (access(tt_arena_printf(s->arena, "%s/%s%s", s->include, ours[i], name), R_OK) == 0) return;
  if (take_from_cpath(s, name) || take_from_above(s, name)) return;
  /* A program outside of the tree that it is built with. */
  const char *home = getenv("TT_METAL_HOME");
  if (home && *home && !take(s, home, name)) take_from_sdk(s, home, name);
}

/* What a header of the program's own folder, of the one above, or of one beside it declares may
 * stand in a source beside it, which is read before the program then. */
static void take_source(Search *s, const char *header) {
  const char *dot = strrchr(header, '.'), *slash = strrchr(header, '/');
  const size_t n = (size_t)(slash - header), above = (size_t)(strrchr(s->folder, '/') - s->folder);
  if (!dot || dot < slash || strncmp(dot, ".h", 2) != 0 ||
      strncmp(header, s->folder, above + 1) != 0)
    return;
  const bool beside = strchr(header + above + 1, '/') == slash; /* one level below that above */
  if (n != strlen(s->folder) && n != above && !beside) return;
  char *source = tt_arena_printf(s->arena, "%.*s.cpp", (int)(dot - header), header);
  if (access(source, R_OK) != 0 || strcmp(source, s->files[0]) == 0) return;
  add_word(s, tt_arena_printf(s->arena, "-include%s", source));
  add_file(s, source);
}

/* The headers that a file names, unless they are the compiler's. */
static void scan(Search *s, const char *path) {
  char line[MAX_LINE], name[MAX_LINE];
  FILE *file = fopen(path, "rb");
  while (file && fgets(line, sizeof line, file)) {
    if (strstr(line, "fmt::") || strstr(line, "<fmt/")) s->prints = true;
    if (sscanf(line, " # include %*1[<\"]%1023[^>\"]", name) != 1 || !strchr(name, '.')) continue;
    if (strncmp(name, "gtest/", 6) == 0) s->tests = true;
    else if (strncmp(name, "gmock/", 6) == 0) s->mocks = true;
    else if (strncmp(name, "google/protobuf/", 16) == 0) s->messages = true;
    else find(s, path, name);
  }
  if (file) fclose(file);
}

/* The libraries of what the files include, as the linker wants them. */
static const char *const *libraries_of(const Search *s) {
  const char **all = tt_arena_alloc(s->arena, MAX_LIBRARIES * sizeof *all);
  size_t n = 0;
  if (s->mocks) all[n++] = "-lgmock_main", all[n++] = "-lgmock";
  else if (s->tests) all[n++] = "-lgtest_main";
  if (s->mocks || s->tests) all[n++] = "-lgtest";
  if (s->messages) all[n++] = "-lprotobuf";
  all[n] = NULL;
  return all;
}

size_t tt_host_headers(TtArena *arena, const char *source, const char *include, const char **words,
                       size_t max, const char *const **libraries) {
  const char *era = getenv("TTEMU_API");
  char *path = realpath(source, NULL);
  *libraries = NULL;
  if (!path) return 0; /* the compiler will say so */
  char *folder = tt_arena_printf(arena, "%s", path);
  *strrchr(folder, '/') = '\0';
  Search s = {
      .arena = arena, .include = include, .folder = folder, .words = words, .max_words = max};
  add_file(&s, tt_arena_printf(arena, "%s", path));
  free(path);
  const TtEra *known = era ? tt_era_named(era) : NULL;
  if (known) add_word(&s, tt_arena_printf(arena, "-DTTEMU_API=%d", known->number));
  for (size_t i = 0; i < s.num_files; ++i) {
    scan(&s, s.files[i]);
    take_source(&s, s.files[i]);
  }
  *libraries = libraries_of(&s);
  if (s.prints) add_word(&s, "-DTTEMU_FMT");
  return s.num_words;
}
