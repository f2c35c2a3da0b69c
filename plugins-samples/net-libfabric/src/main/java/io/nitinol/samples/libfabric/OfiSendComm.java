// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The sending end: sends a long message once a piece with its tag has been announced, and a short
 * one at once. It keeps a copy of each short message until it knows that this has come.
 */
@OneThread
final class OfiSendComm extends OfiCommEnd implements SendComm {
  private final OfiPeerReceives receives = new OfiPeerReceives();

  /** Whether a send ends only once the peer has said that its message has arrived. */
  private final boolean awaitsWord;

  /** The operations of long messages that have not ended, that the provider or the peer has. */
  private final BitSet waiting = new BitSet(ANNOUNCE);

  private final BitSet sent = new BitSet(ANNOUNCE);
  private final BitSet told = new BitSet(ANNOUNCE);

  /** The announcement that is read next, and a bit for each that came before it. */
  private long announcement;

  private int announced;

  /** The bytes of each announcement that has come. */
  private final int[] bytesOf = new int[OfiAnnouncements.RING];

  /** The number of the first announcement that has no place to arrive in yet. */
  private long unposted;

  /** A bit for each place whose message the provider has not ended, and their requests. */
  private int sending;

  private final @Nullable OfiRequest[] shortRequests = new OfiRequest[OfiShorts.PLACES];

  /** The bytes of the message in each place. */
  private final int[] lengths = new int[OfiShorts.PLACES];

  /** How many short messages were sent, are known to have come, and may be sent in all. */
  private long shortsSent;

  private long shortsCame;
  private long mayCome;

  private @Nullable NetException tooLong;

  OfiSendComm(
      OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags) {
    super(device, endpoint, lifeline, label, tags, ANNOUNCE);
    this.awaitsWord = device.info().tellsArrivals();
    postAnnouncements();
  }

  @Override
  void post(boolean idle, long now) {
    postAnnouncements();
  }

  private void postAnnouncements() {
    while (unposted < announcement + OfiAnnouncements.RING) {
      int index = (int) (unposted % OfiAnnouncements.RING);
      if (!posted(
          endpoint.receive(
              ANNOUNCE + index,
              announcements.address(index),
              OfiAnnouncements.LONGEST,
              announcementDescriptor(),
              tags.announcement(unposted)),
          "fi_trecv")) {
        return;
      }
      unposted++;
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
    OfiRequest request = null;
    if (!receives.isLastLong() || receives.find(tag) >= 0) {
      request = begin(from, offset, length, tag);
    }
    // The news may say where it goes: a message that runs ahead makes a long receive slow.
    if (request == null) {
      progress();
      checkOpen();
      request = begin(from, offset, length, tag);
    }
    return request;
  }

  private @Nullable OfiRequest begin(OfiMemory from, long offset, long length, int tag) {
    long piece = receives.find(tag);
    if (piece >= 0 && length > receives.room(piece)) {
      return refuse(length, piece);
    }
    if (length > OfiShorts.LONGEST || (piece >= 0 && receives.room(piece) > OfiShorts.LONGEST)) {
      return piece >= 0 && piece / PIECES == receives.next()
          ? sendLong(from, offset, length, piece)
          : null;
    }
    return sendShort(from.address() + offset, length, tag, piece);
  }

  /** Sends a message into a piece that the peer has posted. */
  private @Nullable OfiRequest sendLong(OfiMemory from, long offset, long length, long piece) {
    int operation = OfiPeerReceives.operation(piece);
    OfiRequest request = underWay[operation] == null ? request() : null;
    if (request == null) {
      return null;
    }
    long address = from.address() + offset;
    request.begin(piece / PIECES, 1).piece(0, address, length, from);
    if (!posted(
        endpoint.send(
            operation,
            address,
            length,
            from.descriptor(),
            tags.data(piece / PIECES, (int) (piece % PIECES))),
        "fi_tsend")) {
      giveBack(request);
      return null;
    }
    underWay[operation] = request;
    waiting.set(operation);
    from.begin();
    receives.fill(piece);
    return request;
  }

  /** Sends a message into a place; {@code piece} is negative where none is known for it. */
  private @Nullable OfiRequest sendShort(long address, long length, int tag, long piece) {
    boolean isNext = piece >= 0 && piece / PIECES == receives.next();
    long most = isNext ? mayCome : mayCome - OfiShorts.RESERVED;
    int place = (int) (shortsSent % OfiShorts.PLACES);
    boolean isFree =
        shortsSent < most
            && shortsSent - shortsCame < OfiShorts.PLACES
            && (sending & (1 << place)) == 0
            && (piece >= 0 || receives.ahead() < OfiShorts.PLACES);
    OfiRequest request = isFree ? request() : null;
    if (request == null) {
      return null;
    }
    long receive = piece < 0 ? receives.known() : piece / PIECES;
    int named = piece < 0 ? OfiShorts.UNKNOWN : (int) (piece % PIECES);
    lengths[place] = (int) length;
    shorts.write(place, shortsSent, receive, named, tag, address, length);
    request.begin(OfiRequest.NO_RECEIVE, 1).piece(0, address, length, null);
    if (!posted(
        endpoint.send(
            SHORT + place,
            shorts.address(place),
            OfiShorts.HEADER + length,
            shortDescriptor(),
            tags.shorts()),
        "fi_tsend")) {
      giveBack(request);
      return null;
    }
    // Not yet ended, though it is copied: the provider goes on only while the caller tests.
    shortRequests[place] = request;
    sending |= 1 << place;
    shortsSent++;
    if (piece < 0) {
      receives.runAhead(tag);
    } else {
      receives.fill(piece);
    }
    return request;
  }

  /** What was sent before still arrives; this message fails here and there once it is tested. */
  private @Nullable OfiRequest refuse(long length, long piece) {
    OfiRequest request = request();
    if (request == null) {
      return null;
    }
    long receive = piece / PIECES;
    long room = receives.room(piece);
    request.begin(receive, 1).piece(0, 0, length, null);
    request.refused = true;
    tooLong =
        new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s: message of %d bytes is longer than its receive of %d", label, length, room));
    lifeline.sayTooLong(receive, length, room);
    return request;
  }

  @Override
  @Nullable NetException objection(OfiRequest request) {
    return request.refused ? tooLong : null;
  }

  @Override
  public void completed(int operation, long bytes) {
    if (operation >= OPERATIONS) {
      return; // the greeting of the connection
    }
    if (operation >= SHORT) {
      sending &= ~(1 << (operation - SHORT));
      endShort(operation - SHORT);
    } else if (operation >= ANNOUNCE) {
      int index = operation - ANNOUNCE;
      bytesOf[index] = (int) bytes;
      announced |= 1 << index;
      readAnnouncements();
    } else {
      sent.set(operation);
      end(operation);
    }
  }

  @Override
  public void cancelled(int operation) {
    failed(operation, Endpoint.CANCELLED, "the provider has taken back an operation");
  }

  private void endShort(int place) {
    OfiRequest request = shortRequests[place];
    shortRequests[place] = null;
    if (request != null) {
      request.ended(0);
    }
  }

  /** Ends a long message that both the provider and, where it matters, the peer are done with. */
  private void end(int operation) {
    OfiRequest request = underWay[operation];
    if (request != null && sent.get(operation) && (!awaitsWord || told.get(operation))) {
      finish(operation, request);
    }
  }

  private void finish(int operation, OfiRequest request) {
    waiting.clear(operation);
    sent.clear(operation);
    told.clear(operation);
    request.ended(0);
    underWay[operation] = null;
  }

  private void readAnnouncements() {
    int index = (int) (announcement % OfiAnnouncements.RING);
    while ((announced & (1 << index)) != 0) {
      announced &= ~(1 << index);
      read(index, bytesOf[index]);
      announcement++;
      index = (int) (announcement % OfiAnnouncements.RING);
    }
  }

  private void read(int index, int bytes) {
    if (bytes < OfiAnnouncements.HEADER) {
      throw wrong("in " + bytes + " bytes");
    }
    long came = announcements.came(index);
    long most = announcements.mayCome(index);
    if (came < shortsCame
        || came > shortsSent
        || most < mayCome
        || most > came + OfiShorts.PLACES) {
      throw wrong(
          ErrorText.of(
              "that %d short messages of %d have come and %d may be sent", came, shortsSent, most));
    }
    if (announcements.announced(index) != receives.known()) {
      throw wrong(
          ErrorText.of(
              "receive %d where %d was expected",
              announcements.announced(index), receives.known()));
    }
    shortsCame = came;
    mayCome = most;
    int at = OfiAnnouncements.HEADER;
    while (at < bytes) {
      int pieces = bytes - at < Integer.BYTES ? 0 : announcements.pieces(index, at);
      if (pieces < 1 || pieces > PIECES || at + OfiAnnouncements.bytes(pieces) > bytes) {
        throw wrong(
            ErrorText.of(
                "receive %d with %d pieces in %d bytes", receives.known(), pieces, bytes - at));
      }
      readReceive(index, at, pieces);
      at += OfiAnnouncements.bytes(pieces);
    }
    long first = announcements.first(index);
    for (int i = waiting.nextSetBit(0); i >= 0; i = waiting.nextSetBit(i + 1)) {
      OfiRequest request = underWay[i];
      if (request != null
          && (request.receive < first
              || (announcements.bits(index, i / PIECES) & (1 << (i % PIECES))) != 0)) {
        told.set(i);
        end(i);
      }
    }
  }

  private void readReceive(int index, int at, int pieces) {
    if (!receives.hasRoom()) {
      throw wrong(ErrorText.of("receive %d before %d is full", receives.known(), receives.next()));
    }
    for (int i = 0; i < pieces; i++) {
      long room = announcements.room(index, at, i);
      if (room < 0) {
        throw wrong("a room of " + room + " bytes");
      }
      receives.piece(i, room, announcements.tag(index, at, i));
    }
    receives.announced(pieces);
  }

  private NetException wrong(String what) {
    return new NetException(
        ResultCode.REMOTE_ERROR,
        ErrorText.of("%s: the peer announced %s, in announcement %d", label, what, announcement));
  }

  @Override
  void settle() {
    long most = receives.next() + receives.ahead();
    if (lifeline.completed() > most) {
      // Its word would end sends that the provider still reads.
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the peer says that %d receives are full, and this end has filled %d",
              label, lifeline.completed(), most));
    }
    for (int operation = 0; operation < underWay.length; operation++) {
      OfiRequest request = underWay[operation];
      if (request != null && request.receive < lifeline.completed()) {
        finish(operation, request);
      }
    }
    // The provider's answer goes with the peer's end, though the peer may have the message.
    for (int place = 0; lifeline.hasClosed() && place < shortRequests.length; place++) {
      endShort(place);
    }
  }

  @Override
  boolean awaits(long number) {
    return false; // what the peer has received is known from its word
  }

  @Override
  boolean hasOnlyMessages() {
    return false;
  }

  @Override
  boolean mayReport() {
    return true;
  }

  /**
   * The provider drops what the peer has not read yet when its endpoint is closed, so the peer gets
   * the short messages that may be among that once more.
   */
  @Override
  void handOver() {
    poll(Endpoint.ENTRIES); // an announcement may say that all have come
    for (long number = shortsCame; number < shortsSent; number++) {
      int place = (int) (number % OfiShorts.PLACES);
      lifeline.sayShort(shorts.bytes(place, OfiShorts.HEADER + lengths[place]));
    }
  }

  @Override
  long completedReceives() {
    return firstUnderWay(receives.next());
  }
}
