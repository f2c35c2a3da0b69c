// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** The receiving end: posts a receive and then announces it. */
@OneThread
final class OfiRecvComm extends OfiCommEnd implements RecvComm {
  /** The number of the receive that was posted last in each slot. */
  private final long[] numbers = new long[SLOTS];

  private final long[] rooms = new long[SLOTS];

  /** A bit for each slot whose announcement is on its way. */
  private int announcing;

  OfiRecvComm(
      OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags) {
    super(device, endpoint, lifeline, label, tags);
  }

  /** Starts a receive; see {@code Net.irecv}. */
  @Nullable OfiRequest irecv(OfiMemory to, long offset, long length) {
    checkOpen();
    to.check(memory, offset, length, label);
    if (to.isReadOnly()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, label + ": memory to receive into is read-only");
    }
    int slot = slot(next);
    if (isBusy(slot)) {
      progress();
      checkOpen();
      if (isBusy(slot)) {
        return null;
      }
    }
    OfiRequest request = request();
    if (request == null) {
      return null;
    }
    boolean begun =
        posted(
            endpoint.receive(slot, to.address() + offset, length, to.descriptor(), tags.data(next)),
            "fi_trecv");
    if (!begun) {
      giveBack(request);
      progress();
      checkOpen();
      return null;
    }
    inSlot[slot] = request.begin(next, 0, to);
    to.begin();
    numbers[slot] = next;
    rooms[slot] = length;
    long at = (long) slot * ANNOUNCEMENT;
    announcements.set(ValueLayout.JAVA_LONG, at, next);
    announcements.set(ValueLayout.JAVA_LONG, at + Long.BYTES, length);
    unposted |= 1 << slot;
    next++;
    post();
    return request;
  }

  private boolean isBusy(int slot) {
    return inSlot[slot] != null || ((unposted | announcing) & (1 << slot)) != 0;
  }

  @Override
  void post() {
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((unposted & (1 << slot)) != 0
          && posted(
              endpoint.send(
                  SLOTS + slot,
                  announcementAddress(slot),
                  ANNOUNCEMENT,
                  announcementDescriptor(),
                  tags.announcement(numbers[slot])),
              "fi_tsend")) {
        unposted &= ~(1 << slot);
        announcing |= 1 << slot;
      }
    }
  }

  @Override
  public void completed(int operation, long bytes) {
    if (operation >= 2 * SLOTS) {
      return; // the greeting of the connection
    }
    if (operation >= SLOTS) {
      announcing &= ~(1 << (operation - SLOTS));
      return;
    }
    OfiRequest request = inSlot[operation];
    if (request == null) {
      return;
    }
    if (bytes < 0 || bytes > rooms[operation]) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: message of %d bytes is longer than its receive of %d",
              label, bytes, rooms[operation]));
    }
    request.bytes = bytes;
    ended(request);
    inSlot[operation] = null;
  }

  @Override
  @Nullable NetException objection(OfiRequest request) {
    String tooLong = lifeline.tooLong();
    return tooLong != null && request.number >= lifeline.tooLongNumber()
        ? new NetException(ResultCode.INVALID_USAGE, label + ": " + tooLong)
        : null;
  }

  @Override
  void settle() {}

  @Override
  boolean awaits(long number) {
    for (OfiRequest request : inSlot) {
      if (request != null && request.number < number) {
        return true;
      }
    }
    return false;
  }
}
