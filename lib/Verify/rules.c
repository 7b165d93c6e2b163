/*===- rules.c - the protocol rules, in one table ---------------------------------------------===
 *
 * Break one and the device hangs or lies. Diagnostics cite the number; docs/rules.md
 * is made from this table (scripts/docs), and a test checks that every rule cited in
 * the sources is here.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/verify.h"

/* clang-format off */
const TtRule tt_rules[] = {
    {1, "A reserve or wait asks for no more pages than the circular buffer has.", true, true},
    {2, "Pushes and pops land exactly on the end of the circular buffer.", true, true},
    {3, "Waits that grow between pops grow by equal steps (a warning).", true, false},
    {4, "One op fills a circular buffer, and one kernel empties it.", true, true},
    {5, "When the kernels end, every circular buffer is empty, and nothing is reserved "
        "or waited for (forgiven).",
     true, true},
    {6, "Producer and consumer agree on the pages over the whole run: no deadlock.", true, true},
    {7, "A circular buffer has at most 65535 pages: the chip counts with 16 bits.", true, true},
    {8, "Circular buffers exist, have ids the chip has, and fit L1; a page is a tile.", true, true},
    {9, "DST tiles are below the capacity of the DST mode.", true, true},
    {10, "DST is acquired, computed on, committed, waited for, packed, released: once "
         "each, in this order.",
     true, true},
    {11, "The engine is started up once, first; each op has its init, again after another op's.",
     true, true},
    {12, "A change of data format has its reconfiguration.", true, true},
    {13, "The format of the packer is set before it adds to L1, which is switched off "
         "after.", true, true},
    {14, "A reduction is ended by its uninit before another op.", true, true},
    {15, "Reads have landed before their pages are pushed, and before the kernel ends.",
     true, true},
    {16, "Writes have left before their pages are popped, and are done before the kernel ends.",
     true, true},
    {17, "NoC addresses are inside the tensor and L1, and aligned alike on both sides.",
     true, true},
    {18, "Semaphores exist; a multicast names as many cores as it goes to, and not the "
         "sender alone.", true, true},
    {19, "The two data movement kernels of a core use different NoCs.", true, true},
    {20, "A kernel has at most 341 runtime arguments, and reads each where the host puts it.",
     true, true},
    {21, "Only reserved pages are written and pushed; only waited-for pages are read and popped.",
     true, true},
    {22, "Memory is written before it is read or published (a warning).", true, true},
    {23, "Of two accesses to the same memory, one a write, a signal, a barrier or a "
         "circular buffer says which is first.",
     true, true},
};
/* clang-format on */
const size_t tt_num_rules = sizeof tt_rules / sizeof *tt_rules;
