/*===- report.h - what the device says: errors, warnings, traces -----------------------------===*/

#ifndef TTEMU_REPORT_H
#define TTEMU_REPORT_H

#include "core.h"

const char *emu_role_name(int role);
const char *emu_role_short(int role); /* as the vendor's tools print it */
/* Says which rule of the protocol was broken, where, and ends the process. */
void emu_error(Risc *risc, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* As emu_error, at another line than where the processor is now. */
void emu_error_at(Risc *risc, uint32_t line, int rule, const char *format, ...)
    __attribute__((format(printf, 4, 5), noreturn));
/* Of what the host does. */
/* Not an exception: it may be said while the host does something else. */
void emu_host_error(int rule, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void emu_host_warning(int rule, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emu_warning(Risc *risc, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What the hardware forgives as a rule: a warning for programs written by hand, an error for those
 * that we emit and if TTEMU_STRICT is set. */
void emu_forgiven(Risc *risc, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A warning at another line than where the processor is now. */
void emu_forgiven_at(Risc *risc, uint32_t line, int rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void emu_warning_at(Risc *risc, uint32_t line, int rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Tells how often warnings were repeated. */
void emu_end_warnings(void);
const char *emu_wait_name(WaitKind wait);
void emu_deadlock(ttemu_program *program) __attribute__((noreturn));
void emu_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

typedef enum TraceKind {
  TRACE_WAIT,
  TRACE_OP,
  TRACE_SFPU,
  TRACE_PACK,
  TRACE_UNPACK,
  TRACE_READ,
  TRACE_WRITE,
  TRACE_FILL,
  TRACE_KERNEL
} TraceKind;
void emu_trace_open(void);
/* `what`: a WaitKind, an op or a circular buffer; `value`: pages or bytes. */
void emu_trace(const Core *core, int role, TraceKind kind, uint32_t what, uint32_t value,
               uint64_t start, uint64_t end);
void emu_trace_launch(const ttemu_program *program, uint64_t clk); /* ended after `clk` */
void emu_trace_close(void);
/* The folder of a program's kernels, which has the program's name where we emit it: its first
 * `*length` characters. */
const char *emu_program_folder(const ttemu_program *program, int *length);
/* What it is expected to take (TTEMU_PREDICTED); 0 where that is not known. */
uint64_t emu_predicted_clk(const ttemu_program *program);
/* Prints where the time of a launch went. */
void emu_summarize(const ttemu_program *program, double seconds);
const char *emu_fpu_name(int fpu);
/* The text of one of the emulator's own files. */
char *emu_read_include(const char *name);

#endif
