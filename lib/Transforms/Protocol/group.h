/* Ops of level 2 that follow each other in DST (group.c). */
#ifndef TILEWRIGHT_GROUP_H
#define TILEWRIGHT_GROUP_H

#include "Dialect/op_info.h"
#include "Transforms/Protocol/lower_compute.h"

#include "Dialect/verify.h"

/* Ops that compute in DST, to where their result is packed. */
typedef struct TtGroup {
  TtOps ops;
  TtOps products;     /* that it goes on with, tile by tile */
  MlirOperation pack; /* an own tt.pack_to_cb, or null */
  MlirValue out;      /* null where a product is added to the result */
  MlirOperation sum;  /* that product, or null */
  MlirType shape;     /* of the result, as a circular buffer */
  /* A product that is larger than DST leaves room for: the group runs in its sub-blocks. */
  bool in_parts;
  TtSubBlock part;
} TtGroup;

/* Finds the products whose tiles are in DST where a group may start. */
void tt_find_resident_products(TtComputeLowering *l);
/* The group that starts with `op`, all of whose tiles of DST and blocks fit; tt.cb_open and
 * tt.cb_close amid its ops move before and after it. False after an error. */
bool tt_read_group(TtComputeLowering *l, MlirOperation op, TtGroup *g);
/* The tile of DST that tile `dst` of an op is, where a sub-block has the first ones. */
int64_t tt_slot_of(const TtGroup *g, int64_t dst);
/* A scalar that differs from tile to tile. */
bool tt_has_steps(MlirOperation op);
/* The product of a group whose result starts at tile `dst`, or null. */
MlirOperation tt_product_at(const TtGroup *g, int64_t dst);
/* A function of the vector unit. */
bool tt_is_sfpu_block(MlirOperation op);
/* A reduction to the largest element. */
bool tt_is_max_block(MlirOperation op);

#endif
