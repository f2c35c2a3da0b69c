// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One end of a connection, or a member of a group, with its requests and the arrays that calls with
 * several pieces need. Used by one thread at a time, except for registrations.
 */
abstract class CommSlot extends Slot {
  /** How many pieces one call has at the most. */
  final int most;

  /** The registrations of the pieces of a call. */
  final MemoryHandle[] handles;

  /** Where the pieces begin in their registrations. */
  final long[] offsets;

  /** How long the pieces are. */
  final long[] lengths;

  /** What tells the pieces apart. */
  final int[] tags;

  /** The profiler's handles of the pieces. */
  final long[] profilerHandles;

  /** What a completed request tells. */
  final int[] sizes;

  private final List<RequestSlot> all = new ArrayList<>();
  private final Set<RegistrationSlot> registrations = new HashSet<>();
  private RequestSlot[] free = new RequestSlot[0];
  private int freeCount;

  /**
   * Makes the slot with room for the requests that NCCL may have in flight.
   *
   * @param most how many pieces one call has at the most
   * @param requests how many requests there are at first
   */
  CommSlot(int most, int requests) {
    this.most = most;
    this.handles = new MemoryHandle[most];
    this.offsets = new long[most];
    this.lengths = new long[most];
    this.tags = new int[most];
    this.profilerHandles = new long[most];
    this.sizes = new int[most];
    addRequests(requests);
  }

  /**
   * Returns the pointer to give for {@code request}, and 0 for null.
   *
   * @param pieces how many sizes it has in the end
   */
  final long give(Request request, int pieces) {
    if (freeCount == 0) {
      addRequests(all.size());
    }
    RequestSlot slot = free[--freeCount];
    slot.request = request;
    slot.pieces = pieces;
    return slot.id;
  }

  /** Does what is due when a request is complete: its pointer is dead from now on. */
  void completed(RequestSlot slot) {
    takeBack(slot);
  }

  /** Takes a pointer back that {@link #give} gave. */
  final void takeBack(RequestSlot slot) {
    slot.request = null;
    slot.complete = false;
    ExportHandles.REQUESTS.renew(slot);
    free[freeCount++] = slot;
  }

  /** Returns the pointer to give for a registration. */
  final long add(MemoryHandle handle, long address) {
    RegistrationSlot slot = new RegistrationSlot(this, handle, address);
    ExportHandles.REGISTRATIONS.add(slot);
    synchronized (registrations) {
      registrations.add(slot);
    }
    return slot.id;
  }

  /** Returns the registrations that the comm has. */
  final List<RegistrationSlot> registered() {
    synchronized (registrations) {
      return List.copyOf(registrations);
    }
  }

  /** Makes the pointer of a registration a dead one. */
  final void remove(RegistrationSlot slot) {
    synchronized (slot.owner.registrations) {
      slot.owner.registrations.remove(slot);
    }
    ExportHandles.REGISTRATIONS.remove(slot);
  }

  /** Makes the pointers of the comm, its requests and registrations dead ones. */
  final void end() {
    ExportHandles.COMMS.remove(this);
    all.forEach(ExportHandles.REQUESTS::remove);
    synchronized (registrations) {
      registrations.forEach(ExportHandles.REGISTRATIONS::remove);
      registrations.clear();
    }
  }

  private void addRequests(int more) {
    free = Arrays.copyOf(free, free.length + more);
    for (int i = 0; i < more; i++) {
      RequestSlot slot = new RequestSlot(this);
      ExportHandles.REQUESTS.add(slot);
      all.add(slot);
      free[freeCount++] = slot;
    }
  }
}
