/* Text that grows, and names that do not collide. */
#ifndef TILEWRIGHT_TEXT_H
#define TILEWRIGHT_TEXT_H

#include "tilewright/ir.h"

typedef struct TtText {
  char *data;
  size_t n, capacity;
} TtText;

void tt_text_free(TtText *text);
void tt_text_append(TtText *text, const char *data, size_t n);
void tt_text_printf(TtText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The names of a C++ scope and of those around it. */
typedef struct TtNames {
  TtArena *arena;
  struct TtName {
    const char *text; /* NULL: a free row */
    int next;         /* number of the next one like it */
    bool taken;
  } *rows;
  size_t used, capacity; /* a power of two, or 0 */
  struct TtTaken {
    const char *text, *like; /* like: what it is a numbered one of, or NULL */
    int next;                /* that one's number before */
  } *log;
  size_t n, log_capacity;
} TtNames;

/* An identifier like `wish` that the scope does not have yet; takes it. */
char *tt_names_take(TtNames *names, const char *wish);
/* Takes `name` as it is; false if the scope has it. */
bool tt_names_add(TtNames *names, const char *name);
bool tt_names_has(const TtNames *names, const char *name);
/* Enters a scope: what to leave it with, which frees the names that were taken since. */
size_t tt_names_enter(const TtNames *names);
void tt_names_leave(TtNames *names, size_t scope);

#endif
