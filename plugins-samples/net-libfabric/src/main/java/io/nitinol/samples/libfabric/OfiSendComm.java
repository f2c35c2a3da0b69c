// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sending end: sends a message once its receive has been announced. */
@OneThread
final class OfiSendComm extends OfiCommEnd implements SendComm {
  private static final long NOT_ANNOUNCED = -1;

  /** The room of the announced receive in each slot. */
  private final long[] rooms = new long[SLOTS];

  /** The number of the message that the announcement in each slot is for. */
  private final long[] numbers = new long[SLOTS];

  private @Nullable NetException tooLong;
  private long tooLongNumber = Long.MAX_VALUE;

  OfiSendComm(
      OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags) {
    super(device, endpoint, lifeline, label, tags);
    Arrays.fill(rooms, NOT_ANNOUNCED);
    for (int slot = 0; slot < SLOTS; slot++) {
      numbers[slot] = slot;
    }
    unposted = -1;
    post();
  }

  @Override
  void post() {
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((unposted & (1 << slot)) != 0
          && posted(
              endpoint.receive(
                  SLOTS + slot,
                  announcementAddress(slot),
                  ANNOUNCEMENT,
                  announcementDescriptor(),
                  tags.announcement(numbers[slot])),
              "fi_trecv")) {
        unposted &= ~(1 << slot);
      }
    }
  }

  /** Starts a message; see {@code Net.isend}. */
  @Nullable OfiRequest isend(OfiMemory from, long offset, long length) {
    checkOpen();
    from.check(memory, offset, length, label);
    if (length > device().longestMessage()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: message of %d bytes, the device's longest has %d",
              label, length, device().longestMessage()));
    }
    NetException refused = tooLong;
    if (refused != null) {
      throw new NetException(refused.result(), String.valueOf(refused.getMessage()), refused);
    }
    int slot = slot(next);
    if (rooms[slot] == NOT_ANNOUNCED || inSlot[slot] != null) {
      progress();
      checkOpen();
      if (rooms[slot] == NOT_ANNOUNCED || inSlot[slot] != null) {
        return null;
      }
    }
    OfiRequest request = request();
    if (request == null) {
      return null;
    }
    if (length > rooms[slot]) {
      return refuse(request.begin(next, length, from), rooms[slot]);
    }
    boolean begun =
        posted(
            endpoint.send(
                slot, from.address() + offset, length, from.descriptor(), tags.data(next)),
            "fi_tsend");
    if (!begun) {
      giveBack(request);
      progress();
      checkOpen();
      return null;
    }
    inSlot[slot] = request.begin(next, length, from);
    from.begin();
    rooms[slot] = NOT_ANNOUNCED;
    numbers[slot] = next + SLOTS;
    unposted |= 1 << slot;
    next++;
    post();
    return request;
  }

  /** What was sent before still arrives; this message fails here and there once it is tested. */
  private OfiRequest refuse(OfiRequest request, long room) {
    tooLongNumber = next;
    tooLong =
        new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s: message of %d bytes is longer than its receive of %d",
                label, request.bytes, room));
    lifeline.sayTooLong(next, request.bytes, room);
    return request;
  }

  @Override
  @Nullable NetException objection(OfiRequest request) {
    return request.number >= tooLongNumber ? tooLong : null;
  }

  @Override
  public void completed(int operation, long bytes) {
    if (operation >= 2 * SLOTS) {
      return; // the greeting of the connection
    }
    if (operation < SLOTS) {
      complete(operation);
      return;
    }
    int slot = operation - SLOTS;
    long at = (long) slot * ANNOUNCEMENT;
    long number = announcements.get(ValueLayout.JAVA_LONG, at);
    long room = announcements.get(ValueLayout.JAVA_LONG, at + Long.BYTES);
    if (bytes != ANNOUNCEMENT || number != numbers[slot] || room < 0) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the peer announced receive %d of %d bytes where %d was expected",
              label, number, room, numbers[slot]));
    }
    rooms[slot] = room;
  }

  private void complete(int slot) {
    OfiRequest request = inSlot[slot];
    if (request != null) {
      ended(request);
      inSlot[slot] = null;
    }
  }

  @Override
  void settle() {
    for (int slot = 0; slot < SLOTS; slot++) {
      OfiRequest request = inSlot[slot];
      if (request != null && request.number < lifeline.completed()) {
        complete(slot);
      }
    }
  }

  @Override
  boolean awaits(long number) {
    return false; // what the peer has received is known from its word
  }
}
