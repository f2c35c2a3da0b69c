// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.net.HostRegion;
import io.nitinol.toolkit.net.Token;
import org.jspecify.annotations.Nullable;

/** A message that is sent, or a receive of some; a comm uses it again and again. */
final class V5Request extends Token implements Request {
  final V5Comm comm;
  final @Nullable HostRegion[] regions = new HostRegion[SampleV5.MAX_RECVS];
  final long[] offsets = new long[SampleV5.MAX_RECVS];
  final int[] lengths = new int[SampleV5.MAX_RECVS]; // the room, then what arrived
  int pieces;
  int missing; // a bit for each piece that is not there
  int place; // of a message, which piece of the receive it is for

  V5Request(SampleV5 plugin, V5Comm comm) {
    super(plugin);
    this.comm = comm;
  }

  void start(int ofPieces, int forPlace) {
    reuse();
    pieces = ofPieces;
    missing = (1 << ofPieces) - 1;
    place = forPlace;
  }

  void set(int piece, HostRegion region, long offset, long length) {
    regions[piece] = region;
    offsets[piece] = offset;
    lengths[piece] = (int) length;
  }

  /** Returns how many bytes a piece may have; -1 where none may come. */
  int room(int piece) {
    boolean isMissing = piece >= 0 && piece < pieces && (missing & 1 << piece) != 0;
    return isMissing ? lengths[piece] : -1;
  }
}
