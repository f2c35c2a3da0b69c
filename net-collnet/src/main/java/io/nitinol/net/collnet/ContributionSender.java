// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends a member's contributions to its switch: for each operation the descriptor, with all bytes
 * of a small one, and then the segments straight from the caller's memory.
 */
final class ContributionSender {
  /** The messages of the network plugin in flight. */
  private static final int MOST = Net.MAX_REQUESTS;

  private static final int NO_SLOT = -1;

  private final Net net;
  private final SendComm comm;
  private final Segments segments;
  private final int segmentBytes;
  private final StagingSlots announcements;
  private @Nullable StagingSlots gathered; // made when first needed

  private final @Nullable Request[] requests = new Request[MOST];
  private final @Nullable SwitchRequest[] operations = new SwitchRequest[MOST];
  private final long[] ends =
      new long[MOST]; // how many segments have been sent when this message has
  private final int[] slots = new int[MOST];
  private int first;
  private int inFlight;

  ContributionSender(CommPair pair, Segments segments, int segmentBytes, int mostOperations) {
    net = pair.net();
    comm = pair.send();
    this.segments = segments;
    this.segmentBytes = segmentBytes;
    announcements =
        new StagingSlots(net, comm, Descriptor.BYTES + Descriptor.INLINE_BYTES, mostOperations);
  }

  /** Writes the first message of an operation. */
  void prepare(SwitchRequest operation) {
    Descriptor descriptor = operation.descriptor;
    MemorySegment memory = announcements.memory();
    long at = announcements.offset(operation.index);
    descriptor.write(memory, at);
    if (descriptor.isInline()) {
      operation.from.read(memory, at + Descriptor.BYTES, segments.upBytes(descriptor, 0));
    }
  }

  /** Takes the sends that have completed. */
  void finish() {
    while (inFlight > 0) {
      Request oldest = requests[first];
      SwitchRequest operation = operations[first];
      if (oldest == null || operation == null || !net.test(oldest, null)) {
        return;
      }
      operation.sent = ends[first];
      operation.sendsInFlight--;
      if (slots[first] != NO_SLOT && gathered != null) {
        gathered.give(slots[first]);
      }
      requests[first] = null;
      operations[first] = null;
      first = (first + 1) % MOST;
      inFlight--;
    }
  }

  /**
   * Sends as much of an operation as there is room for.
   *
   * @return whether all of it is on its way
   */
  boolean send(SwitchRequest operation) {
    Descriptor descriptor = operation.descriptor;
    if (!operation.announced) {
      boolean inline = descriptor.isInline();
      long bytes = (long) Descriptor.BYTES + (inline ? segments.upBytes(descriptor, 0) : 0);
      long end = inline ? operation.segments : 0;
      long at = announcements.offset(operation.index);
      if (!start(operation, announcements.registration(), at, bytes, end, NO_SLOT)) {
        return false;
      }
      operation.announced = true;
      operation.sending = end;
    }
    while (operation.sending < operation.segments) {
      int bytes = segments.upBytes(descriptor, operation.sending);
      if (bytes > 0 && !sendSegment(operation, bytes)) {
        return false;
      }
      operation.sending++;
    }
    return true;
  }

  private boolean sendSegment(SwitchRequest operation, int bytes) {
    ScatterGatherList from = operation.from;
    long end = operation.sending + 1;
    if (from.isRun(bytes)) {
      if (!start(operation, from.region().up(), from.offset(), bytes, end, NO_SLOT)) {
        return false;
      }
      from.skip(bytes);
      return true;
    }
    if (inFlight == MOST) {
      return false;
    }
    StagingSlots staging = gathered;
    if (staging == null) {
      staging = new StagingSlots(net, comm, segmentBytes, 2);
      gathered = staging;
    }
    int slot = operation.slot >= 0 ? operation.slot : staging.take();
    if (slot < 0) {
      return false;
    }
    if (operation.slot < 0) {
      from.read(staging.memory(), staging.offset(slot), bytes);
      operation.slot = slot; // filled, and kept until the network has room
    }
    if (!start(operation, staging.registration(), staging.offset(slot), bytes, end, slot)) {
      return false;
    }
    operation.slot = NO_SLOT;
    return true;
  }

  private boolean start(
      SwitchRequest operation, MemoryHandle mr, long offset, long bytes, long end, int slot) {
    if (inFlight == MOST) {
      return false;
    }
    Request request = net.isend(comm, mr, offset, bytes, 0, 0);
    if (request == null) {
      return false;
    }
    int at = (first + inFlight) % MOST;
    requests[at] = request;
    operations[at] = operation;
    ends[at] = end;
    slots[at] = slot;
    inFlight++;
    operation.sendsInFlight++;
    return true;
  }

  /** Frees the memory, once the comm is closed. */
  void close() {
    announcements.close();
    if (gathered != null) {
      gathered.close();
    }
  }
}
