// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import org.jspecify.annotations.Nullable;

/** The receiving end: posts a receive, piece after piece, and then announces it. */
@OneThread
final class OfiRecvComm extends OfiCommEnd implements RecvComm {

  /** A bit for each slot whose announcement is on its way. */
  private int announcing;

  /** The oldest receive that is not announced, and how many of its pieces are posted. */
  private long posting;

  private int postedPieces;

  OfiRecvComm(
      OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags) {
    super(device, endpoint, lifeline, label, tags, SLOTS);
  }

  /** Checks the pieces of a receive or a flush; see {@code Net.irecv}. */
  void check(int n, MemoryHandle[] to, long[] offsets, long[] lengths) {
    checkOpen();
    for (int i = 0; i < n; i++) {
      OfiMemory.of(to[i]).check(memory, offsets[i], lengths[i], label);
    }
  }

  /** Starts a receive; see {@code Net.irecv}. */
  @Nullable OfiRequest irecv(
      int n, MemoryHandle[] to, long[] offsets, long[] lengths, int[] pieceTags) {
    check(n, to, offsets, lengths);
    for (int i = 0; i < n; i++) {
      if (OfiMemory.of(to[i]).isReadOnly()) {
        throw new NetException(
            ResultCode.INVALID_ARGUMENT, label + ": memory to receive into is read-only");
      }
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
    request.begin(next, n);
    announcements.number(slot, next);
    for (int i = 0; i < n; i++) {
      OfiMemory into = OfiMemory.of(to[i]);
      request.piece(i, into.address() + offsets[i], lengths[i], into);
      announcements.piece(slot, i, lengths[i], pieceTags[i]);
      into.begin();
    }
    underWay[slot] = request;
    next++;
    post();
    return request;
  }

  private boolean isBusy(int slot) {
    return underWay[slot] != null || (announcing & (1 << slot)) != 0;
  }

  /** In the order of the receives: what the provider has no room for does not let others pass. */
  @Override
  void post() {
    while (posting < next) {
      int slot = slot(posting);
      OfiRequest request = underWay[slot];
      if (request == null) {
        throw new IllegalStateException(label + ": receive " + posting + " ended unposted");
      }
      for (; postedPieces < request.pieces; postedPieces++) {
        int piece = postedPieces;
        if (!posted(
            endpoint.receive(
                operation(slot, piece),
                request.addresses[piece],
                request.bytes[piece],
                request.descriptor(piece),
                tags.data(posting, piece)),
            "fi_trecv")) {
          return;
        }
      }
      if (!posted(
          endpoint.send(
              ANNOUNCE + slot,
              announcements.address(slot),
              OfiAnnouncements.bytes(request.pieces),
              announcementDescriptor(),
              tags.announcement(posting)),
          "fi_tsend")) {
        return;
      }
      announcing |= 1 << slot;
      posting++;
      postedPieces = 0;
    }
  }

  @Override
  public void completed(int operation, long bytes) {
    if (operation >= ANNOUNCE) {
      // Behind them is only the greeting of the connection.
      announcing &= operation < ANNOUNCE + SLOTS ? ~(1 << (operation - ANNOUNCE)) : -1;
      return;
    }
    int slot = operation / PIECES;
    int piece = operation % PIECES;
    OfiRequest request = underWay[slot];
    if (request == null) {
      return;
    }
    if (request.receive >= posting) {
      // Its pieces are posted before it is announced.
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of("%s: the peer sent a message for a receive not announced yet", label));
    }
    long room = request.bytes[piece];
    if (bytes < 0 || bytes > room) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: message of %d bytes is longer than its receive of %d", label, bytes, room));
    }
    request.bytes[piece] = bytes;
    if (request.ended(piece)) {
      underWay[slot] = null;
    }
  }

  @Override
  @Nullable NetException objection(OfiRequest request) {
    String tooLong = lifeline.tooLong();
    return tooLong != null && request.receive >= lifeline.tooLongNumber()
        ? new NetException(ResultCode.INVALID_USAGE, label + ": " + tooLong)
        : null;
  }

  @Override
  void settle() {}

  @Override
  boolean awaits(long number) {
    for (OfiRequest request : underWay) {
      if (request != null && request.receive < number) {
        return true;
      }
    }
    return false;
  }
}
