/*===- build_cache.c - what a compiler makes, kept by content -----------------------------------===
 *
 *   command, compiler, source, subject, their places --hash--> KEY.deps, what they included then
 *     -> KEY and these files' contents --hash--> PRODUCT, which is there, or is made now
 *
 * A list of files is only a guess: a product's name holds the list and all contents, so that a
 * stale list finds nothing, and never something else. KEY.deps is locked while a product is made:
 * processes that want the same wait for it. Products appear by a rename, whole or not at all.
 * What was not used for two weeks is removed.
 *
 * Free of LLVM: the emulated device is built with it, too.
 *
 *===----------------------------------------------------------------------===*/

#include "Support/build_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 24 * 3600, KEPT_DAYS = 14, MAX_WORDS = 1024 };

/*===- Hashes of 128 bits --------------------------------------------------------------------===*/

typedef struct Hash {
  uint64_t a, b;
} Hash;

static void mix(Hash *h, uint64_t word) {
  h->a = (h->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  h->b = (h->b + word) * UINT64_C(0xc2b2ae3d27d4eb4f);
  h->a ^= h->a >> 29, h->b ^= h->b >> 32;
}

/* Its length goes in as well, so that texts in a row are not taken for others. */
static void hash(Hash *h, const void *data, size_t n) {
  const char *bytes = data;
  uint64_t word = 0;
  mix(h, n);
  for (; n >= sizeof word; bytes += sizeof word, n -= sizeof word)
    memcpy(&word, bytes, sizeof word), mix(h, word);
  word = 0;
  memcpy(&word, bytes, n);
  mix(h, word), mix(h, 0);
}

static void hash_text(Hash *h, const char *text) {
  hash(h, text ? text : "", text ? strlen(text) : 0);
}

static void hash_words(Hash *h, const char *const *words) {
  for (; words && *words; ++words) hash_text(h, *words);
  hash_text(h, "");
}

/*===- Files ---------------------------------------------------------------------------------===*/

/* All of a file, ended by a zero; NULL if it cannot be read. */
static char *read_fd(int fd, size_t *n) {
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return NULL;
  char *data = malloc((size_t)info.st_size + 1);
  ssize_t got = data ? pread(fd, data, (size_t)info.st_size, 0) : -1;
  if (got < 0) return free(data), NULL;
  data[got] = '\0';
  *n = (size_t)got;
  return data;
}

static char *read_whole(const char *path, size_t *n) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  char *data = read_fd(fd, n);
  if (fd >= 0) close(fd);
  return data;
}

static bool join(char out[TT_PATH_BYTES], const char *base, const char *path) {
  bool alone = *path == '/' || strcmp(base, ".") == 0;
  return snprintf(out, TT_PATH_BYTES, "%s%s%s", alone ? "" : base, alone ? "" : "/", path) <
         TT_PATH_BYTES;
}

static bool hash_file(Hash *h, const char *base, const char *path) {
  char place[TT_PATH_BYTES];
  size_t n = 0;
  char *data = join(place, base, path) ? read_whole(place, &n) : NULL;
  if (!data) return false;
  hash(h, data, n);
  free(data);
  return true;
}

/* Which compiler it is: its file, and the time of its last change. */
static void hash_compiler(Hash *h, const char *name) {
  const char *path = strchr(name, '/') ? NULL : getenv("PATH");
  char candidate[TT_PATH_BYTES];
  struct stat info;
  snprintf(candidate, sizeof candidate, "%s", name);
  while (path && *path) {
    size_t n = strcspn(path, ":");
    int length = snprintf(candidate, sizeof candidate, "%.*s/%s", (int)n, path, name);
    if (length < TT_PATH_BYTES && access(candidate, X_OK) == 0) break;
    path += n + (path[n] == ':');
  }
  if (stat(candidate, &info) != 0) return;
  hash_text(h, candidate);
  mix(h, (uint64_t)info.st_size), mix(h, (uint64_t)info.st_mtim.tv_sec);
  mix(h, (uint64_t)info.st_mtim.tv_nsec);
}

bool tt_build_folder(char folder[TT_PATH_BYTES]) {
  const char *own = getenv("TTEMU_CACHE"), *home = getenv("XDG_CACHE_HOME");
  char dir[TT_PATH_BYTES - 256];
  if (own && *own) snprintf(dir, sizeof dir, "%s", own);
  else if (home && *home) snprintf(dir, sizeof dir, "%s/tilewright-kernels", home);
  else snprintf(dir, sizeof dir, "/tmp/tilewright-kernels-%u", (unsigned)getuid());
  struct stat info;
  if (mkdir(dir, 0700) != 0 && errno != EEXIST)
    snprintf(folder, TT_PATH_BYTES,
             "the folder for compiled kernels, '%.1024s', cannot be made: %s", dir,
             strerror(errno));
  else if (stat(dir, &info) != 0 || info.st_uid != getuid())
    snprintf(
        folder, TT_PATH_BYTES,
        "the folder for compiled kernels, '%.1024s', belongs to somebody else; set TTEMU_CACHE",
        dir);
  else return realpath(dir, folder) != NULL;
  return false;
}

bool tt_build_keep_text(const char *cache, const char *text, const char *suffix,
                        char path[TT_PATH_BYTES]) {
  char temporary[TT_PATH_BYTES + 32];
  Hash h = {1, 2};
  hash_text(&h, text);
  snprintf(path, TT_PATH_BYTES, "%s/%016" PRIx64 "%s", cache, h.a, suffix);
  if (access(path, R_OK) == 0) return true;
  snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  FILE *file = fopen(temporary, "wb");
  return file && fputs(text, file) >= 0 && fclose(file) == 0 && rename(temporary, path) == 0;
}

/* Once a day, what was not used for long goes. */
static void remove_old(const char *cache) {
  char path[TT_PATH_BYTES];
  struct stat info;
  time_t now = time(NULL);
  snprintf(path, sizeof path, "%s/last-cleaned", cache);
  if (stat(path, &info) == 0 && now - info.st_mtime < DAY) return;
  int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return;
  futimens(fd, NULL);
  close(fd);
  DIR *dir = opendir(cache);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (join(path, cache, entry->d_name) && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
        now - info.st_mtime > KEPT_DAYS * DAY)
      unlink(path);
  }
  if (dir) closedir(dir);
}

/*===- Lists of included files ---------------------------------------------------------------===*/

/* As the compiler writes them for make, `x: main.cpp a\ b.hpp \`, to lines; those below `base`
 * as seen from there. */
static char *parse_dependencies(const char *text, const char *base) {
  size_t n = 0, below = strlen(base);
  char *list = malloc(strlen(text) + 2), word[TT_PATH_BYTES];
  const char *at = strstr(text, ": ");
  for (at = at ? at + 1 : ""; list && *at;) {
    size_t length = 0;
    while (*at == ' ' || *at == '\n' || (*at == '\\' && at[1] == '\n')) at += *at == '\\' ? 2 : 1;
    for (; *at && *at != ' ' && *at != '\n' && length + 1 < sizeof word; ++at) {
      if ((*at == '\\' && (at[1] == ' ' || at[1] == '#')) || (*at == '$' && at[1] == '$')) ++at;
      word[length++] = *at;
    }
    word[length] = '\0';
    if (length == 0) continue;
    bool inside = *base == '/' && strncmp(word, base, below) == 0 && word[below] == '/';
    n += (size_t)sprintf(list + n, "%s\n", inside ? word + below + 1 : word);
  }
  if (list) list[n] = '\0';
  return list;
}

/* The product's path, by the contents of the files in the list; false if one is not there. */
static bool name_product(const TtBuild *b, Hash h, const char *list, char product[TT_PATH_BYTES]) {
  char path[TT_PATH_BYTES];
  for (const char *line = list; *line;) {
    size_t n = strcspn(line, "\n");
    snprintf(path, sizeof path, "%.*s", (int)n, line);
    hash_text(&h, path);
    if (!hash_file(&h, b->base, path)) return false;
    line += n + (line[n] == '\n');
  }
  snprintf(product, TT_PATH_BYTES, "%s/%016" PRIx64 "%016" PRIx64 "%s", b->cache, h.a, h.b,
           b->suffix);
  return *list != '\0';
}

/*===- The compiler --------------------------------------------------------------------------===*/

static size_t add_words(const char *argv[], size_t n, const char *const *words) {
  for (; words && *words && n < MAX_WORDS; ++words) argv[n++] = *words;
  return n;
}

/* Its exit status, or -1 if it cannot be started. What it says goes to `log`, if that is not -1;
 * `mended` has a bit for each mend whose flags are added. */
static int run_compiler(const TtBuild *b, const char *dependencies, const char *object, int log,
                        unsigned mended) {
  const char *argv[MAX_WORDS + 16];
  size_t n = add_words(argv, 0, b->command);
  n = add_words(argv, n, b->places);
  for (unsigned i = 0; mended >> i; ++i)
    if (mended >> i & 1) n = add_words(argv, n, b->mends[i].flags);
  const char *const rest[] = {"-MD", "-MF",  dependencies, "-MT", "x",
                              "-o",  object, b->source,    NULL};
  n = add_words(argv, n, rest);
  n = add_words(argv, n, b->libraries);
  argv[n] = NULL;
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    int nowhere = b->quiet && log < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (log >= 0 || nowhere >= 0) dup2(log >= 0 ? log : nowhere, STDERR_FILENO);
    if (chdir(b->base) == 0) execvp(argv[0], (char *const *)(uintptr_t)argv);
    fprintf(stderr, "error: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* A bit for each mend that the complaints ask for; 0 if one of them has none. */
static unsigned mends_for(const TtBuild *b, const char *said) {
  unsigned mended = 0;
  for (const char *line = said; line && *line;) {
    size_t n = strcspn(line, "\n");
    unsigned i = 0;
    char text[1024];
    snprintf(text, sizeof text, "%.*s", (int)n, line);
    line += n + (line[n] == '\n');
    if (!strstr(text, "error: ")) continue;
    while (b->mends[i].complaint && !strstr(text, b->mends[i].complaint)) ++i;
    if (!b->mends[i].complaint) return 0;
    mended |= 1u << i;
  }
  return mended;
}

/* Its exit status, or -1 if it cannot be started. */
static int compile(const TtBuild *b, const char *dependencies, const char *object) {
  if (!b->mends) return run_compiler(b, dependencies, object, -1, 0);
  FILE *log = tmpfile();
  size_t n = 0;
  if (!log) return run_compiler(b, dependencies, object, -1, 0);
  int status = run_compiler(b, dependencies, object, fileno(log), 0);
  char *said = read_fd(fileno(log), &n);
  unsigned mended = status > 0 && said ? mends_for(b, said) : 0;
  if (mended) status = run_compiler(b, dependencies, object, -1, mended);
  else if (said && !b->quiet) fputs(said, stderr);
  free(said);
  fclose(log);
  return status;
}

static TtBuildStatus impossible(char product[TT_PATH_BYTES], const char *path) {
  char text[256];
  snprintf(text, sizeof text, "%.180s: %s", path, strerror(errno));
  snprintf(product, TT_PATH_BYTES, "%s", text);
  return TT_BUILD_IMPOSSIBLE;
}

/* Compiles, and writes which files it included into the open list. */
static TtBuildStatus make(const TtBuild *b, Hash key, int list, char product[TT_PATH_BYTES]) {
  char object[TT_PATH_BYTES], dependencies[TT_PATH_BYTES];
  size_t n = 0;
  remove_old(b->cache);
  snprintf(object, sizeof object, "%.3900s/%016" PRIx64 ".%ld.new", b->cache, key.a,
           (long)getpid());
  snprintf(dependencies, sizeof dependencies, "%.4000s.d", object);
  int status = compile(b, dependencies, object);
  char *text = status == 0 ? read_whole(dependencies, &n) : NULL, *files = NULL;
  if (text) files = parse_dependencies(text, b->base);
  else if (status == 0 && asprintf(&files, "%s\n", b->source) < 0) files = NULL; /* read alone */
  TtBuildStatus done = status > 0 ? TT_BUILD_COMPILER : TT_BUILD_OK;
  unlink(dependencies);
  if (status < 0 || (status == 0 && (!files || !name_product(b, key, files, product)))) {
    done = impossible(product, b->source);
  } else if (status == 0) {
    n = strlen(files);
    if (rename(object, product) != 0) done = impossible(product, object);
    else if (ftruncate(list, 0) != 0 || pwrite(list, files, n, 0) != (ssize_t)n)
      done = impossible(product, b->cache);
  }
  if (done != TT_BUILD_OK) unlink(object);
  free(text), free(files);
  return done;
}

TtBuildStatus tt_build(const TtBuild *b, char product[TT_PATH_BYTES]) {
  static const char *const variables[] = {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"};
  Hash key = {0, 0};
  char path[TT_PATH_BYTES];
  size_t n = 0;
  hash_words(&key, b->command), hash_words(&key, b->libraries);
  hash_text(&key, b->suffix);
  for (const TtBuildMend *m = b->mends; m && m->complaint; ++m) hash_text(&key, m->complaint);
  hash_compiler(&key, b->command[0]);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
    hash_text(&key, getenv(variables[i]));
  /* How the source is told decides from where the compiler tells what it includes: from `base`,
   * or from the root, and then a copy of it elsewhere includes other files. */
  hash_text(&key, b->source);
  if (!hash_file(&key, b->base, b->source)) return impossible(product, b->source);
  hash_text(&key, b->subject);
  if (b->subject && !hash_file(&key, b->base, b->subject)) return impossible(product, b->subject);
  snprintf(path, sizeof path, "%s/%016" PRIx64 "%016" PRIx64 ".deps", b->cache, key.a, key.b);
  int list = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (list < 0) return impossible(product, path);
  while (flock(list, LOCK_EX) != 0 && errno == EINTR) continue; /* without locks: compiled twice */
  char *files = read_fd(list, &n);
  TtBuildStatus done = TT_BUILD_OK;
  if (!files || !name_product(b, key, files, product) || access(product, R_OK) != 0)
    done = make(b, key, list, product);
  else utimensat(AT_FDCWD, product, NULL, 0); /* used now */
  futimens(list, NULL);
  free(files);
  close(list); /* and unlock */
  return done;
}
