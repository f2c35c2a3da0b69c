// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

/** The objects of this process that NCCL has pointers of. */
final class ExportHandles {
  static final HandleTable<ContextSlot> CONTEXTS =
      new HandleTable<>(1, "context", ContextSlot[]::new);
  static final HandleTable<ListenSlot> LISTENERS =
      new HandleTable<>(2, "listenComm", ListenSlot[]::new);
  static final HandleTable<CommSlot> COMMS = new HandleTable<>(3, "comm", CommSlot[]::new);
  static final HandleTable<RegistrationSlot> REGISTRATIONS =
      new HandleTable<>(4, "mhandle", RegistrationSlot[]::new);
  static final HandleTable<RequestSlot> REQUESTS =
      new HandleTable<>(5, "request", RequestSlot[]::new);

  private ExportHandles() {}

  static SendSlot send(long pointer) {
    if (COMMS.get(pointer) instanceof SendSlot slot) {
      return slot;
    }
    throw COMMS.wrong(pointer, "not a sendComm");
  }

  static RecvSlot recv(long pointer) {
    if (COMMS.get(pointer) instanceof RecvSlot slot) {
      return slot;
    }
    throw COMMS.wrong(pointer, "not a recvComm");
  }

  static CollSlot coll(long pointer) {
    if (COMMS.get(pointer) instanceof CollSlot slot) {
      return slot;
    }
    throw COMMS.wrong(pointer, "not a collComm");
  }

  static ListenSlot listener(long pointer, boolean collective) {
    ListenSlot slot = LISTENERS.get(pointer);
    if (slot.collective != collective) {
      throw LISTENERS.wrong(pointer, collective ? "a network's" : "a collective network's");
    }
    return slot;
  }

  static ContextSlot context(long pointer, boolean collective) {
    ContextSlot slot = CONTEXTS.get(pointer);
    if (slot.collective != collective) {
      throw CONTEXTS.wrong(pointer, collective ? "a network's" : "a collective network's");
    }
    return slot;
  }

  /** Returns the request of a pointer, which is in flight. */
  static RequestSlot request(long pointer) {
    RequestSlot slot = received(pointer);
    if (slot.complete) {
      throw REQUESTS.wrong(pointer, "complete: only irecvConsumed may follow");
    }
    return slot;
  }

  /** Returns the same, or a receive that is complete and not consumed. */
  static RequestSlot received(long pointer) {
    RequestSlot slot = REQUESTS.get(pointer);
    if (slot.request == null) {
      throw REQUESTS.unknown(pointer);
    }
    return slot;
  }
}
