// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Request;

/** One operation of a member, from the member's pool. */
final class SwitchRequest implements Request {
  /** The member whose pool this is from. */
  final CollComm owner;

  /** Its place in the pool, and so in the member's memory for descriptors. */
  final int index;

  final Descriptor descriptor = new Descriptor();
  final ScatterGatherList from = new ScatterGatherList();
  final ScatterGatherList to = new ScatterGatherList();

  /** Whether the caller holds it: started, and {@code test} has not returned true or thrown. */
  boolean live;

  /** The bytes of the result, which test reports. */
  long resultBytes;

  long segments;

  /** Whether result and contribution share memory, so that a result overwrites what was sent. */
  boolean inPlace;

  /** Whether the descriptor has been sent. */
  boolean announced;

  /** The next segment to be sent; {@link #segments} when all have been sent. */
  long sending;

  /** The staging slot that holds the next segment, gathered from several pieces; -1: none. */
  int slot;

  /** How many segments have been sent completely, those without a message included. */
  long sent;

  /** How many messages are being sent. */
  int sendsInFlight;

  /** The next segment to be received. */
  long receiving;

  /** Whether the last segment has been received. */
  boolean received;

  SwitchRequest(CollComm owner, int index) {
    this.owner = owner;
    this.index = index;
  }

  /** Begins; the descriptor and the pieces are filled in. */
  void begin(long segmentCount, long bytes) {
    live = true;
    resultBytes = bytes;
    segments = segmentCount;
    inPlace = from.overlaps(to);
    announced = false;
    sending = 0;
    slot = -1;
    sent = 0;
    sendsInFlight = 0;
    receiving = 0;
    received = false;
  }

  /** Returns whether all is sent and the result is there. */
  boolean isComplete() {
    return received && sendsInFlight == 0 && sending == segments && announced;
  }

  /** Forgets the caller's memory. */
  void end() {
    live = false;
    from.clear(1);
    to.clear(1);
  }
}
