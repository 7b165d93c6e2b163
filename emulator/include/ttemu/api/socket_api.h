// Sockets are links between chips, or to the host: a kernel that calls one does not compile.
#pragma once
#include "ttemu/api/compute/not_emulated.h"
#include "ttemu/kernel.hpp"

struct SocketSenderInterface {};
struct SocketReceiverInterface {};
#define TTEMU_NO_SOCKET(name)                                                                      \
  TTEMU_NOT_EMULATED(name,                                                                         \
                     "sockets link chips with each other and with the host, and are not emulated")
// Without arguments that decide their type: these are wrong where they are called.
#define TTEMU_NO_SOCKET_OF(type, name)                                                             \
  template <typename Config> inline type name(Config) {                                            \
    static_assert(ttemu::never<Config>, #name                                                      \
                  ": sockets link chips with each other and with the host, and are not emulated"); \
    return {};                                                                                     \
  }
TTEMU_NO_SOCKET_OF(SocketSenderInterface, create_sender_socket_interface)
TTEMU_NO_SOCKET_OF(SocketReceiverInterface, create_receiver_socket_interface)
TTEMU_NO_SOCKET(set_sender_socket_page_size)
TTEMU_NO_SOCKET(set_receiver_socket_page_size)
TTEMU_NO_SOCKET(socket_reserve_pages)
TTEMU_NO_SOCKET(socket_push_pages)
TTEMU_NO_SOCKET(socket_notify_receiver)
TTEMU_NO_SOCKET(socket_barrier)
TTEMU_NO_SOCKET(socket_wait_for_pages)
TTEMU_NO_SOCKET(socket_pop_pages)
TTEMU_NO_SOCKET(socket_notify_sender)
TTEMU_NO_SOCKET(assign_local_cb_to_socket)
TTEMU_NO_SOCKET(update_socket_config)
TTEMU_NO_SOCKET(fabric_socket_notify_receiver)
TTEMU_NO_SOCKET(fabric_socket_notify_sender)
TTEMU_NO_SOCKET(fabric_socket_notify_sender_stateful)
TTEMU_NO_SOCKET(fabric_set_unicast_route)
#undef TTEMU_NO_SOCKET
#undef TTEMU_NO_SOCKET_OF
