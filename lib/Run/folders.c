/*===- folders.c - temporary folders, and what a run is at --------------------------------===*/

#include "Run/session.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tt_progress(const char *step) {
  if (isatty(2)) fprintf(stderr, "\r\033[K  %s", *step ? step : "\r\033[K");
}

char *tt_temporary_folder(TtArena *arena) {
  const char *tmp = getenv("TMPDIR");
  char *folder = tt_arena_printf(arena, "%s/tt-run-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(folder)) return folder;
  tt_message("no temporary folder: %s", strerror(errno));
  return NULL;
}

void tt_remove_folder(TtArena *arena, const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char *path = tt_arena_printf(arena, "%s/%s", folder, entry->d_name);
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) tt_remove_folder(arena, path);
    else unlink(path);
  }
  if (dir) closedir(dir);
  rmdir(folder);
}
