// A semaphore as an object.
#pragma once

#include "ttemu/api/dataflow/noc.h"
#include "ttemu/api/experimental/noc.h"

#if TTEMU_API >= 202608
enum class SemScope { LOCAL_NONATOMIC, LOCAL, GLOBAL };
#define TTEMU_SCOPED(name) , SemScope name = SemScope::LOCAL_NONATOMIC
#define TTEMU_SCOPED_AS(name, other) , SemScope name = other
#define TTEMU_SCOPE(name) , name
#define TTEMU_MULTICAST_MODE NocOptions tOptions = NocOptions::DEFAULT
#define TTEMU_WITH_SENDER ttemu::has(tOptions, NocOptions::MCAST_INCL_SRC)
#else
#define TTEMU_SCOPED(name)
#define TTEMU_SCOPED_AS(name, other)
#define TTEMU_SCOPE(name)
#define TTEMU_MULTICAST_MODE Noc::McastMode tOptions = Noc::McastMode::EXCLUDE_SRC
#define TTEMU_WITH_SENDER (tOptions == Noc::McastMode::INCLUDE_SRC)
#endif
TTEMU_OBJECTS
template <ProgrammableCoreType tType = ProgrammableCoreType::TENSIX TTEMU_SCOPED(tScope)>
class Semaphore {
public:
  explicit Semaphore(uint32_t id, TTEMU_LINE) : address_(ttemu_semaphore(id, line)) {}
  uint32_t address() const { return address_; }
  void up(uint32_t value, TTEMU_LINE) { ttemu_semaphore_set(word(), *word() + value, line); }
  void up(const Noc &noc, uint32_t x, uint32_t y, uint32_t value, uint8_t = 0, TTEMU_LINE) {
    ttemu_noc_choose(noc.get_noc_id());
    ttemu_semaphore_add(get_noc_addr(x, y, address_), value, 1, false, line);
  }
  void down(uint32_t value, TTEMU_LINE) {
    ttemu_semaphore_wait(word(), value, true, line);
    ttemu_semaphore_set(word(), *word() - value, line);
  }
  void wait(uint32_t value, TTEMU_LINE) { ttemu_semaphore_wait(word(), value, false, line); }
  void wait_min(uint32_t value, TTEMU_LINE) { ttemu_semaphore_wait(word(), value, true, line); }
  void set(uint32_t value, TTEMU_LINE) { ttemu_semaphore_set(word(), value, line); }
  uint32_t value(TTEMU_LINE) const {
    ttemu_poll(line);
    return *word();
  }
  // Sends this semaphore's value to another one, or to the same one of other cores.
  template <ProgrammableCoreType tTo = tType TTEMU_SCOPED_AS(tToScope, tScope)>
  void relay_unicast(const Noc &noc, const Semaphore<tTo TTEMU_SCOPE(tToScope)> &to, uint32_t x,
                     uint32_t y, TTEMU_LINE) {
    ttemu_noc_choose(noc.get_noc_id());
    ttemu_semaphore_send(address_, get_noc_addr(x, y, to.address()), 1, false, line);
  }
  template <TTEMU_MULTICAST_MODE>
  void set_multicast(const Noc &noc, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                     uint32_t num_dests, bool linked = false, TTEMU_LINE) {
    relay_multicast<tOptions>(noc, *this, x0, y0, x1, y1, num_dests, linked, line);
  }
  template <TTEMU_MULTICAST_MODE,
            ProgrammableCoreType tTo = tType TTEMU_SCOPED_AS(tToScope, tScope)>
  void relay_multicast(const Noc &noc, const Semaphore<tTo TTEMU_SCOPE(tToScope)> &to, uint32_t x0,
                       uint32_t y0, uint32_t x1, uint32_t y1, uint32_t num_dests,
                       bool linked = false, TTEMU_LINE) {
    ttemu_noc_choose(noc.get_noc_id());
    ttemu_noc_link(linked);
    ttemu_semaphore_send(address_, get_noc_multicast_addr(x0, y0, x1, y1, to.address()), num_dests,
                         TTEMU_WITH_SENDER, line);
  }
  void inc_multicast(const Noc &noc, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                     uint32_t value, uint32_t num_dests, TTEMU_LINE) {
    ttemu_noc_choose(noc.get_noc_id());
    ttemu_semaphore_add(get_noc_multicast_addr(x0, y0, x1, y1, address_), value, num_dests, false,
                        line);
  }

private:
  volatile uint32_t *word() const {
    return reinterpret_cast<volatile uint32_t *>(uintptr_t{address_});
  }
  uint32_t address_;
};
TTEMU_OBJECTS_END
#undef TTEMU_SCOPED
#undef TTEMU_SCOPED_AS
#undef TTEMU_SCOPE
#undef TTEMU_MULTICAST_MODE
#undef TTEMU_WITH_SENDER
