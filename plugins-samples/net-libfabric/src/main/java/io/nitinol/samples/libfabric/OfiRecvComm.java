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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end. It posts the pieces of a receive that have room for a long message, and
 * announces the receive; short messages come into places and are copied. The k-th short message
 * with a tag, among those whose sender knew of no piece for it, goes to the k-th piece that is
 * vacant.
 */
@OneThread
final class OfiRecvComm extends OfiCommEnd implements RecvComm {
  /** How long what no sender waits for may stay untold. */
  private static final long LAZY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** So many receives at most that no sender waits for stay untold. */
  private static final int LAZY_RECEIVES = 28;

  /**
   * Where so many places are free again, the sender is told, though few can be sent meanwhile: each
   * announcement takes as long as half a message.
   */
  private static final int TOLD_PLACES = OfiShorts.PLACES * 3 / 4;

  /** Where so many places are free again, the sender is told even while messages come. */
  private static final int URGENT_PLACES = TOLD_PLACES + 2;

  private static final int ALL_PLACES = -1 >>> (Integer.SIZE - OfiShorts.PLACES);

  private final OfiArrivals arrivals;
  private final boolean tellsArrivals;
  private final OfiOwnReceives receives = new OfiOwnReceives();

  /** The oldest receive of which not all pieces are posted. */
  private long posting;

  /** The oldest receive that is not announced. */
  private long announced;

  /** The one behind the last receive that the sender may wait to know of. */
  private long announceUpTo;

  /** How many receives have not ended. */
  private int open;

  /** The number of the next announcement, and a bit for each one that is on its way. */
  private long announcement;

  private int announcing;

  /** A bit for each place that nothing can come into. */
  private int unposted = ALL_PLACES;

  /** How many short messages may come in all; what the sender knows of that. */
  private long mayCome;

  private long toldMayCome;

  /** Whether the sender waits to hear that a message has arrived. */
  private boolean untold;

  private long waitingSince;

  OfiRecvComm(
      OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags) {
    super(device, endpoint, lifeline, label, tags, SLOTS);
    this.arrivals = new OfiArrivals(shorts);
    this.tellsArrivals = device.info().tellsArrivals();
    postPlaces();
    announce();
  }

  /** Checks the pieces of a receive or a flush; see {@code Net.irecv}. */
  void check(int n, MemoryHandle[] to, long[] offsets, long[] lengths) {
    checkOpen();
    for (int i = 0; i < n; i++) {
      OfiMemory.of(to[i]).check(memory, offsets[i], lengths[i], label);
    }
  }

  /** Starts a receive; see {@code Net.irecv}. */
  @Nullable OfiRequest irecv(int n, MemoryHandle[] to, long[] offsets, long[] lengths, int[] its) {
    check(n, to, offsets, lengths);
    for (int i = 0; i < n; i++) {
      if (OfiMemory.of(to[i]).isReadOnly()) {
        throw new NetException(
            ResultCode.INVALID_ARGUMENT, label + ": memory to receive into is read-only");
      }
    }
    if (isBusy()) {
      progress();
      checkOpen();
      if (isBusy()) {
        return null;
      }
    }
    OfiRequest request = request();
    if (request == null) {
      return null;
    }
    long number = receives.next();
    request.begin(number, n);
    for (int i = 0; i < n; i++) {
      OfiMemory into = OfiMemory.of(to[i]);
      request.piece(i, into.address() + offsets[i], lengths[i], into);
      into.begin();
    }
    underWay[slot(number)] = request;
    open++;
    if (receives.add(n, lengths, its)) {
      announceUpTo = number + 1;
    }
    try {
      fillFromPlaces();
      postPieces();
      if (isDue()) {
        announce();
      }
    } catch (NetException e) {
      fail(e); // a test of the receive says so
    }
    return request;
  }

  private boolean isBusy() {
    long number = receives.next();
    return underWay[slot(number)] != null || number - announced >= SLOTS;
  }

  /** Returns whether the sender may wait for a receive that it can be told of. */
  private boolean isDue() {
    return announced < Math.min(announceUpTo, posting);
  }

  @Override
  void post(boolean idle, long now) {
    postPieces();
    long free = mayCome - toldMayCome + Integer.bitCount(unposted);
    boolean urgent = untold || free >= URGENT_PLACES;
    if (!idle && !urgent) {
      return;
    }
    postPlaces();
    boolean pending = untold || announced < posting || mayCome != toldMayCome;
    if (!pending || isPeerGone()) {
      waitingSince = 0;
      return;
    }
    waitingSince = waitingSince == 0 ? now : waitingSince;
    if (urgent
        || isDue()
        || posting - announced >= LAZY_RECEIVES
        || mayCome - toldMayCome >= Math.max(1, TOLD_PLACES - arrivals.count())
        || now - waitingSince > LAZY_NANOS) {
      announce();
    }
  }

  private void postPlaces() {
    for (int rest = unposted; rest != 0; rest &= rest - 1) {
      int place = Integer.numberOfTrailingZeros(rest);
      if (!posted(
          endpoint.receive(
              SHORT + place,
              shorts.address(place),
              OfiShorts.PLACE,
              shortDescriptor(),
              tags.shorts()),
          "fi_trecv")) {
        return;
      }
      unposted &= ~(1 << place);
      mayCome++;
    }
  }

  /** In the order of the receives: what the provider has no room for does not let others pass. */
  private void postPieces() {
    for (; posting < receives.next(); posting++) {
      int slot = slot(posting);
      OfiRequest request = underWay[slot];
      for (int piece = 0; request != null && piece < receives.pieces(slot); piece++) {
        if (!receives.isToPost(slot, piece)) {
          continue;
        }
        int operation = operation(slot, piece);
        if (!posted(
            endpoint.receive(
                operation,
                request.addresses[piece],
                receives.room(operation),
                request.descriptor(piece),
                tags.data(posting, piece)),
            "fi_trecv")) {
          return;
        }
        receives.posted(slot, piece, true);
      }
    }
  }

  /** Tells the sender all that there is to tell, as far as the provider has room. */
  private void announce() {
    if (isPeerGone()) {
      return;
    }
    do {
      int index = (int) (announcement % OfiAnnouncements.RING);
      if ((announcing & (1 << index)) != 0) {
        return;
      }
      announcements.header(index, arrivals.came(), mayCome, receives.first(), announced);
      receives.writeArrived(announcements, index);
      long upTo = announced;
      int bytes = OfiAnnouncements.HEADER;
      for (; upTo < posting && bytes + receives.bytes(upTo) <= OfiAnnouncements.LONGEST; upTo++) {
        receives.write(announcements, index, bytes, upTo);
        bytes += receives.bytes(upTo);
      }
      if (!posted(
          endpoint.send(
              ANNOUNCE + index,
              announcements.address(index),
              bytes,
              announcementDescriptor(),
              tags.announcement(announcement)),
          "fi_tsend")) {
        return;
      }
      announcing |= 1 << index;
      announcement++;
      announced = upTo;
      toldMayCome = mayCome;
      untold = false;
      waitingSince = 0;
    } while (announced < posting);
  }

  @Override
  public void completed(int operation, long bytes) {
    if (operation >= OPERATIONS) {
      return; // the greeting of the connection
    }
    if (operation >= SHORT) {
      arrive(operation - SHORT, bytes);
    } else if (operation >= ANNOUNCE) {
      announcing &= ~(1 << (operation - ANNOUNCE));
    } else {
      complete(operation, bytes);
    }
  }

  private void arrive(int place, long bytes) {
    if (bytes >= OfiShorts.HEADER
        && shorts.number(place) < arrivals.came()
        && lifeline.end() != null) {
      return; // it was handed over, and came all the same
    }
    String wrong = arrivals.arrive(place, bytes, toldMayCome, announced);
    if (wrong != null) {
      throw new NetException(ResultCode.REMOTE_ERROR, label + ": the peer sent " + wrong);
    }
    fillFromPlaces();
  }

  /** A long message has come into its piece. */
  private void complete(int operation, long bytes) {
    int slot = operation / PIECES;
    int piece = operation % PIECES;
    OfiRequest request = underWay[slot];
    if (request == null) {
      return;
    }
    if (request.receive >= announced || receives.isFilled(slot, piece)) {
      // Its pieces are posted before it is announced.
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the peer sent a message for a receive not announced yet, or a second one for a"
                  + " piece",
              label));
    }
    long room = receives.room(operation);
    if (bytes < 0 || bytes > room) {
      throw tooLong(bytes, room);
    }
    untold = tellsArrivals;
    request.bytes[piece] = bytes;
    receives.arrived(slot, piece);
    end(slot, request, piece);
    fillFromPlaces();
  }

  @Override
  public void cancelled(int operation) {
    int slot = operation / PIECES;
    int piece = operation % PIECES;
    OfiRequest request = operation < ANNOUNCE ? underWay[slot] : null;
    if (request == null || !receives.isPosted(slot, piece) || !receives.isFilled(slot, piece)) {
      failed(operation, Endpoint.CANCELLED, "the provider has taken back an operation");
      return;
    }
    receives.posted(slot, piece, false);
    end(slot, request, piece);
  }

  private NetException tooLong(long length, long room) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s: message of %d bytes is longer than its receive of %d", label, length, room));
  }

  /** Copies the messages from their places that have a piece in the oldest receive not full. */
  private void fillFromPlaces() {
    for (int i = 0; i < arrivals.count() && receives.first() < receives.next(); ) {
      long before = receives.first();
      int place = arrivals.place(i);
      int piece = piece(place);
      if (piece < 0) {
        i++;
        continue;
      }
      arrivals.remove(i);
      copy(place, piece);
      if (place < OfiShorts.PLACES) {
        unposted |= 1 << place;
      }
      if (receives.first() != before) {
        i = 0; // those passed over may be for the next one
      }
    }
  }

  /** Returns the piece of the oldest receive that is not full for a message; -1 if it has none. */
  private int piece(int place) {
    long receive = shorts.receive(place);
    if (receive > receives.first()) {
      return -1;
    }
    int tag = shorts.tag(place);
    int named = shorts.piece(place);
    if (named == OfiShorts.UNKNOWN) {
      return receives.vacant(tag);
    }
    if (receive != receives.first() || !receives.isVacant(named, tag)) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the peer sent short message %d with tag %d for piece %d of receive %d, which"
                  + " does not wait for it",
              label, shorts.number(place), tag, named, receive));
    }
    return named;
  }

  private void copy(int place, int piece) {
    int slot = slot(receives.first());
    OfiRequest request = underWay[slot];
    if (request == null) {
      throw new IllegalStateException(
          label + ": receive " + receives.first() + " ended before it was full");
    }
    long length = arrivals.length(place);
    long room = receives.room(operation(slot, piece));
    if (length > room) {
      throw tooLong(length, room);
    }
    if (request.isFreed(piece)) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          label + ": registered memory was freed before a message came into it");
    }
    shorts.read(place, request.addresses[piece], length);
    request.bytes[piece] = length;
    receives.fill(slot, piece);
    if (receives.isPosted(slot, piece)) {
      endpoint.cancel(operation(slot, piece)); // then it ends
    } else {
      end(slot, request, piece);
    }
  }

  private void end(int slot, OfiRequest request, int piece) {
    if (request.ended(piece)) {
      underWay[slot] = null;
      open--;
    }
  }

  @Override
  @Nullable NetException objection(OfiRequest request) {
    String tooLong = lifeline.tooLong();
    return tooLong != null && request.receive >= lifeline.tooLongNumber()
        ? new NetException(ResultCode.INVALID_USAGE, label + ": " + tooLong)
        : null;
  }

  /** Takes the short messages that the peer could not know to have come. */
  @Override
  void settle() {
    for (byte[] bytes = lifeline.takeShort(); bytes != null; bytes = lifeline.takeShort()) {
      if (bytes.length < OfiShorts.HEADER || bytes.length > OfiShorts.PLACE) {
        throw new NetException(
            ResultCode.REMOTE_ERROR,
            ErrorText.of("%s: the peer handed over %d bytes", label, bytes.length));
      }
      int place = OfiShorts.PLACES + Math.floorMod(OfiShorts.number(bytes), OfiShorts.PLACES);
      if (OfiShorts.number(bytes) >= arrivals.came()) {
        shorts.bytes(place, bytes);
        arrive(place, bytes.length);
      }
    }
  }

  @Override
  boolean awaits(long number) {
    // A receive that is full may wait for the provider to take a piece back.
    return firstUnderWay(Long.MAX_VALUE) < Math.max(number, receives.first());
  }

  @Override
  boolean hasOnlyMessages() {
    return open == 0 && arrivals.count() > 0;
  }

  /** A sender may wait to hear that its message has arrived, and no other call might tell it. */
  @Override
  boolean mayReport() {
    return !untold || isPeerGone();
  }

  @Override
  void handOver() {}

  @Override
  long completedReceives() {
    return firstUnderWay(receives.next());
  }
}
