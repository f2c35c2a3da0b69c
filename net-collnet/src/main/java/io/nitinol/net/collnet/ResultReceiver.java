// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * Receives the segments of each operation's result, straight into the caller's memory. Every
 * operation ends with a message, which is empty if the last segment has nothing for this member.
 */
final class ResultReceiver {
  private static final int MOST = Net.MAX_REQUESTS;
  private static final int NO_SLOT = -1;

  private final Net net;
  private final RecvComm comm;
  private final boolean consumes;
  private final Segments segments;
  private final int segmentBytes;
  private @Nullable StagingSlots scattered; // made when first needed
  private boolean scattering; // a segment for several pieces is on its way: no more are received

  private final @Nullable Request[] requests = new Request[MOST];
  private final @Nullable SwitchRequest[] operations = new SwitchRequest[MOST];
  private final int[] expected = new int[MOST];
  private final boolean[] last = new boolean[MOST];
  private final int[] slots = new int[MOST];
  private int first;
  private int inFlight;

  // The arguments of one receive, and the size it tells.
  private final MemoryHandle[] mr = new MemoryHandle[1];
  private final long[] offset = new long[1];
  private final long[] length = new long[1];
  private final int[] tag = new int[1];
  private final int[] size = new int[1];

  ResultReceiver(CommPair pair, Segments segments, int segmentBytes) {
    net = pair.net();
    comm = pair.recv();
    consumes = net.supports(OptionalOperation.IRECV_CONSUMED);
    this.segments = segments;
    this.segmentBytes = segmentBytes;
  }

  /**
   * Looks which messages have come.
   *
   * @throws NetException when one is not what was expected
   */
  void finish() {
    while (inFlight > 0) {
      Request oldest = requests[first];
      SwitchRequest operation = operations[first];
      if (oldest == null || operation == null || !net.test(oldest, size)) {
        return;
      }
      int bytes = expected[first];
      if (size[0] != bytes) {
        throw new NetException(
            ResultCode.REMOTE_ERROR,
            ErrorText.of(
                "the switch sent %s bytes where %d were expected, of %s",
                size[0], bytes, operation.descriptor));
      }
      StagingSlots staging = scattered;
      if (slots[first] != NO_SLOT && staging != null) {
        if (operation.live) { // and not told to have failed
          operation.to.write(staging.memory(), staging.offset(slots[first]), bytes);
        }
        staging.give(slots[first]);
        scattering = false;
      }
      if (consumes) { // the rest of it is where the caller wants it
        net.irecvConsumed(comm, 1, oldest);
      }
      operation.received = last[first];
      requests[first] = null;
      operations[first] = null;
      first = (first + 1) % MOST;
      inFlight--;
    }
  }

  /**
   * Has as much of an operation received as there is room for.
   *
   * @return whether all of it is on its way
   */
  boolean receive(SwitchRequest operation) {
    Descriptor descriptor = operation.descriptor;
    while (operation.receiving < operation.segments) {
      long segment = operation.receiving;
      if (segments.isAnswered(descriptor, segment)) {
        if (scattering || inFlight == MOST || isNeeded(operation, segment)) {
          return false;
        }
        int bytes = segments.downBytes(descriptor, segment);
        if (!start(operation, bytes, segment + 1 == operation.segments)) {
          return false;
        }
      }
      operation.receiving++;
    }
    return true;
  }

  /** Returns whether the memory that a segment goes to is still being sent from. */
  private boolean isNeeded(SwitchRequest operation, long segment) {
    return operation.inPlace
        && !operation.descriptor.isInline()
        && operation.sent <= segment
        && segments.upBytes(operation.descriptor, segment) > 0;
  }

  private boolean start(SwitchRequest operation, int bytes, boolean isLast) {
    ScatterGatherList to = operation.to;
    int slot = NO_SLOT;
    if (bytes == 0) {
      mr[0] = to.first().down();
      offset[0] = to.firstOffset();
    } else if (to.isRun(bytes)) {
      mr[0] = to.region().down();
      offset[0] = to.offset();
    } else {
      StagingSlots staging = scattered;
      if (staging == null) {
        staging = new StagingSlots(net, comm, segmentBytes, 1);
        scattered = staging;
      }
      slot = staging.take();
      mr[0] = staging.registration();
      offset[0] = staging.offset(slot);
    }
    length[0] = bytes;
    Request request = net.irecv(comm, 1, mr, offset, length, tag, null, 0);
    if (request == null) {
      if (slot != NO_SLOT && scattered != null) {
        scattered.give(slot);
      }
      return false;
    }
    if (slot == NO_SLOT) {
      to.skip(bytes);
    } else {
      scattering = true;
    }
    int at = (first + inFlight) % MOST;
    requests[at] = request;
    operations[at] = operation;
    expected[at] = bytes;
    last[at] = isLast;
    slots[at] = slot;
    inFlight++;
    return true;
  }

  /** Frees the memory, once the comm is closed. */
  void close() {
    if (scattered != null) {
      scattered.close();
    }
  }
}
