// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Request;

/** One operation of a member, from its pool. */
final class SwitchRequest implements Request {
  /** The member whose pool this is from. */
  final CollComm owner;

  /** Which of the pool this is: what it sends beside the caller's memory has this place. */
  final int index;

  final Descriptor descriptor = new Descriptor();
  final ScatterGatherList from = new ScatterGatherList();
  final ScatterGatherList to = new ScatterGatherList();

  /** Whether the caller holds it: started, and not yet told to be over. */
  boolean live;

  /** The bytes of the result, which test reports. */
  long resultBytes;

  long segments;

  /** Whether the result goes where the contribution is: then what was sent may be overwritten. */
  boolean inPlace;

  /** Whether the descriptor is out. */
  boolean announced;

  /** The next segment to be sent; {@link #segments} when all are out. */
  long sending;

  /** Where the next segment's pieces have been put together, or -1: nowhere. */
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

  /** Begins, once the descriptor and the pieces are there. */
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
