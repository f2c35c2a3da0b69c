// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes the registrations of a plugin good for all its comms: where another comm than its own uses
 * one, the memory is registered with that comm too. Any thread.
 *
 * @param <C> the sort of comm
 */
final class GlobalHandles<C extends Comm> {
  private record Registration<C extends Comm>(
      C owner, Memory memory, Map<C, MemoryHandle> elsewhere) {}

  private final Map<MemoryHandle, Registration<C>> made = new ConcurrentHashMap<>();
  private final BiFunction<C, Memory, MemoryHandle> register;
  private final BiConsumer<C, MemoryHandle> deregister;

  GlobalHandles(
      BiFunction<C, Memory, MemoryHandle> register, BiConsumer<C, MemoryHandle> deregister) {
    this.register = register;
    this.deregister = deregister;
  }

  /** Notes a registration that is to be good for all comms. */
  void made(C owner, Memory memory, MemoryHandle handle) {
    made.put(handle, new Registration<>(owner, memory, new ConcurrentHashMap<>()));
  }

  /** Returns the handle of the same memory on a comm; the plugin refuses one that is unknown. */
  MemoryHandle with(C comm, MemoryHandle handle) {
    Registration<C> one = handle == null ? null : made.get(handle);
    if (one == null || comm == null || one.owner() == comm) {
      return handle;
    }
    return one.elsewhere().computeIfAbsent(comm, _ -> register.apply(comm, one.memory()));
  }

  /** The same for an array, which stays as it is; a copy is made only where a handle differs. */
  MemoryHandle[] with(C comm, MemoryHandle[] handles) {
    MemoryHandle @Nullable [] others = null;
    for (int i = 0; handles != null && i < handles.length; i++) {
      MemoryHandle there = with(comm, handles[i]);
      if (there != handles[i]) {
        others = others == null ? handles.clone() : others;
        others[i] = there;
      }
    }
    return others == null ? handles : others;
  }

  /** Notes that a registration was undone, which ends it on all comms. */
  void undone(MemoryHandle handle) {
    Registration<C> one = handle == null ? null : made.remove(handle);
    if (one != null) {
      one.elsewhere().forEach(deregister);
    }
  }

  /** Notes that a comm was closed, and with it its registrations. */
  void closed(C comm) {
    made.forEach((handle, one) -> {
      if (one.owner() == comm) {
        undone(handle);
      } else {
        one.elsewhere().remove(comm);
      }
    });
  }
}
