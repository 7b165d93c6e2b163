/*===- variables.c - variables of kernels -------------------------------------------------------===
 *
 * Every processor has variables of its own, but all that run a kernel share one copy of
 * its code: so they are exchanged when another processor goes on. Kernels with the same
 * code share it, too, in all programs of the process.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static Image *images;

/* As they are when a kernel starts. */
static void find_variables(Image *image) {
  char *(*start)(void), *(*end)(void);
  *(void **)(&start) = dlsym(image->library, "ttemu_data_start");
  *(void **)(&end) = dlsym(image->library, "ttemu_data_end");
  if (!start || !end) return;
  image->start = start() + sizeof(void *); /* after the handle itself */
  image->bytes = end() > image->start ? (size_t)(end() - image->start) : 0;
  image->pristine = emu_calloc(1, image->bytes + 1);
  memcpy(image->pristine, image->start, image->bytes);
}

Image *emu_image(void *library) {
  for (Image *image = images; image; image = image->next)
    if (image->library == library) return image;
  Image *image = emu_calloc(1, sizeof *image);
  image->library = library, image->next = images;
  find_variables(image);
  return images = image;
}

void emu_swap_variables(Risc *risc) {
  Image *image = risc->kernel->image;
  size_t n = image->bytes;
  if (n == 0 || image->owner == risc) return;
  Risc *other = image->owner;
  if (other) {
    if (!other->data) other->data = emu_calloc(1, n);
    memcpy(other->data, image->start, n);
  }
  memcpy(image->start, risc->data ? risc->data : image->pristine, n);
  image->owner = risc;
}

void emu_free_variables(Risc *risc) {
  free(risc->data);
  risc->data = NULL;
  if (risc->kernel && risc->kernel->image->owner == risc) risc->kernel->image->owner = NULL;
}
