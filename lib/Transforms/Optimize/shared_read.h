/* Reads that cores share (shared_read.c, share_relayed.c). */
#ifndef TILEWRIGHT_SHARED_READ_H
#define TILEWRIGHT_SHARED_READ_H

#include "Analysis/sharing.h"
#include "Transforms/Protocol/move.h"

/* What the host gives a core: whether it sends, the sender and the corners of its group, and, where
 * groups are of two sizes, to how many it sends. */
enum { SENDS, SENDER_X, SENDER_Y, X0, Y0, X1, Y1, OTHERS, NUM_ARGS };
/* A read that cores share, and what the host gives them for it. */
typedef struct TtShared {
  TtArena *arena;
  MlirOperation program, kernel, read;
  const char *prefix; /* of names: "in0" */
  TtSharing sharing;
  int num_args;   /* all, or not OTHERS */
  int64_t others; /* cores that a sender sends to, where that is a constant */
  int64_t turn;   /* how many shared operands its kernel has before it */
  bool shared;    /* or read by each core for itself */
  TtBlockMove move;
  MlirValue args[NUM_ARGS], ready, there; /* semaphores: others have room; the block is there */
  MlirOperation relay, relayed_in;        /* of what is relayed: the tt.relay, and its kernel */
  MlirValue l1, tile;                     /* where its block goes; bytes of a tile */
} TtShared;

/* Adds what the cores are given for the read to tt.core_args. */
void tt_give_group(const TtShared *s);
/* Takes that at the top of a kernel, where its semaphores are from here on; and, in a kernel that
 * needs no more, whether its core sends. */
void tt_take_group(TtShared *s, MlirOperation kernel);
MlirValue tt_take_sends(const TtShared *s, MlirOperation kernel);

/* A place in L1 of all cores of the group; how many a sender sends to. */
MlirValue tt_group_rectangle(const TtShared *s, TtBuilder *b, MlirValue l1);
MlirValue tt_group_others(const TtShared *s, TtBuilder *b);
/* What a sender does, and what the others do. */
MlirOperation tt_choose_sender(TtBuilder *b, MlirLocation loc, MlirValue sends, TtBuilder *yes,
                               TtBuilder *no);
/* A receiver says that it has room; the sender waits until all have said so, and says when the
 * block is there. */
void tt_say_ready(const TtShared *s, TtBuilder *b);
void tt_await_ready(const TtShared *s, TtBuilder *b);
void tt_say_there(const TtShared *s, TtBuilder *b);

/* The tt.relay that takes what `read` fetches, and its kernel; null where none does. */
MlirOperation tt_relay_of(TtArena *arena, MlirOperation program, MlirOperation read,
                          MlirOperation *kernel);
/* Has the senders alone fetch what n relays that follow each other take, and send it to their
 * groups. */
bool tt_share_relayed(TtShared *reads, intptr_t n);

#endif
