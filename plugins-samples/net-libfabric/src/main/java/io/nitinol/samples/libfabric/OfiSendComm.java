// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import org.jspecify.annotations.Nullable;

/** The sending end: sends a message once a piece with its tag has been announced. */
@OneThread
final class OfiSendComm extends OfiCommEnd implements SendComm {
  /** A bit for each piece of the announced receive in a slot that no message was sent to. */
  private final int[] vacant = new int[SLOTS];

  /** The room and the tag of each piece, by the number of its operation. */
  private final long[] rooms = new long[SLOTS * PIECES];

  private final int[] pieceTags = new int[SLOTS * PIECES];

  /** The number of the receive that the next announcement in each slot is for. */
  private final long[] numbers = new long[SLOTS];

  /** A bit for each slot whose next announcement has no place to arrive in yet. */
  private int unposted = -1;

  private @Nullable NetException tooLong;

  OfiSendComm(
      OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags) {
    super(device, endpoint, lifeline, label, tags, SLOTS * PIECES);
    for (int slot = 0; slot < SLOTS; slot++) {
      numbers[slot] = slot;
    }
    post();
  }

  @Override
  void post() {
    for (int rest = unposted; rest != 0; rest &= rest - 1) {
      int slot = Integer.numberOfTrailingZeros(rest);
      if (!posted(
          endpoint.receive(
              ANNOUNCE + slot,
              announcements.address(slot),
              OfiAnnouncements.LONGEST,
              announcementDescriptor(),
              tags.announcement(numbers[slot])),
          "fi_trecv")) {
        return;
      }
      unposted &= ~(1 << slot);
    }
  }

  /** Starts a message; see {@code Net.isend}. */
  @Nullable OfiRequest isend(OfiMemory from, long offset, long length, int tag) {
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
    int operation = find(tag);
    if (operation < 0) {
      progress();
      checkOpen();
      operation = find(tag);
    }
    OfiRequest request = operation < 0 ? null : request();
    if (request == null) {
      return null;
    }
    request.begin(next, 1).piece(0, from.address() + offset, length, from);
    if (length > rooms[operation]) {
      return refuse(request, rooms[operation]);
    }
    boolean begun =
        posted(
            endpoint.send(
                operation,
                from.address() + offset,
                length,
                from.descriptor(),
                tags.data(next, operation % PIECES)),
            "fi_tsend");
    if (!begun) {
      giveBack(request);
      progress();
      checkOpen();
      return null;
    }
    underWay[operation] = request;
    from.begin();
    fill(operation);
    return request;
  }

  /**
   * Returns the operation of the first vacant piece with a tag in the oldest receive that is not
   * full; -1 where there is none now.
   */
  private int find(int tag) {
    int first = operation(slot(next), 0);
    for (int rest = vacant[slot(next)]; rest != 0; rest &= rest - 1) {
      int operation = first + Integer.numberOfTrailingZeros(rest);
      if (pieceTags[operation] == tag) {
        return underWay[operation] == null ? operation : -1;
      }
    }
    return -1;
  }

  /** Notes that a piece has its message; behind the last one it is the next receive's turn. */
  private void fill(int operation) {
    int slot = operation / PIECES;
    vacant[slot] &= ~(1 << (operation % PIECES));
    if (vacant[slot] == 0) {
      numbers[slot] = next + SLOTS;
      unposted |= 1 << slot;
      next++;
      post();
    }
  }

  /** What was sent before still arrives; this message fails here and there once it is tested. */
  private OfiRequest refuse(OfiRequest request, long room) {
    request.refused = true;
    tooLong =
        new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s: message of %d bytes is longer than its receive of %d",
                label, request.bytes[0], room));
    lifeline.sayTooLong(next, request.bytes[0], room);
    return request;
  }

  @Override
  @Nullable NetException objection(OfiRequest request) {
    return request.refused ? tooLong : null;
  }

  @Override
  public void completed(int operation, long bytes) {
    if (operation >= ANNOUNCE + SLOTS) {
      return; // the greeting of the connection
    }
    if (operation < ANNOUNCE) {
      complete(operation);
      return;
    }
    int slot = operation - ANNOUNCE;
    int count = OfiAnnouncements.pieces(bytes);
    long number = count < 0 ? -1 : announcements.number(slot);
    if (number != numbers[slot]) {
      throw wrong(slot, "receive " + number + " in " + bytes + " bytes");
    }
    for (int i = 0; i < count; i++) {
      long room = announcements.room(slot, i);
      if (room < 0) {
        throw wrong(slot, "a room of " + room + " bytes");
      }
      rooms[operation(slot, i)] = room;
      pieceTags[operation(slot, i)] = announcements.tag(slot, i);
    }
    vacant[slot] = (1 << count) - 1;
  }

  private NetException wrong(int slot, String what) {
    return new NetException(
        ResultCode.REMOTE_ERROR,
        ErrorText.of(
            "%s: the peer announced %s where receive %d was expected", label, what, numbers[slot]));
  }

  private void complete(int operation) {
    OfiRequest request = underWay[operation];
    if (request != null) {
      request.ended(0);
      underWay[operation] = null;
    }
  }

  @Override
  void settle() {
    if (lifeline.completed() > next) {
      // Its word would end sends that the provider still reads.
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the peer says that %d receives are full, and this end has filled %d",
              label, lifeline.completed(), next));
    }
    for (int operation = 0; operation < underWay.length; operation++) {
      OfiRequest request = underWay[operation];
      if (request != null && request.receive < lifeline.completed()) {
        complete(operation);
      }
    }
  }

  @Override
  boolean awaits(long number) {
    return false; // what the peer has received is known from its word
  }
}
