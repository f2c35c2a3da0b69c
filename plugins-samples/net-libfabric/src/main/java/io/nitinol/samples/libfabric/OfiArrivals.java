// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * The short messages that have come and wait for their receive, in the order in which they were
 * sent. Behind the places of the fabric there is one for each message that the sender hands over
 * when it closes.
 */
final class OfiArrivals {
  private static final int PLACES = OfiShorts.PLACES;

  private final OfiShorts shorts;
  private final int[] lengths = new int[2 * PLACES];

  /** The place plus 1 of each message that came before an earlier one, by its number. */
  private final int[] early = new int[PLACES];

  private final int[] waiting = new int[PLACES];
  private int waitingCount;
  private long came;

  OfiArrivals(OfiShorts shorts) {
    this.shorts = shorts;
  }

  /** Returns how many have come, from the first on. */
  long came() {
    return came;
  }

  /** Returns how many wait. */
  int count() {
    return waitingCount;
  }

  /** Returns the place of one that waits. */
  int place(int index) {
    return waiting[index];
  }

  /** Returns the bytes of the message in a place. */
  int length(int place) {
    return lengths[place];
  }

  /** Takes one out. */
  void remove(int index) {
    waitingCount--;
    System.arraycopy(waiting, index + 1, waiting, index, waitingCount - index);
  }

  /**
   * Notes a message.
   *
   * @param place where it is
   * @param bytes with its header
   * @param mayCome how many were allowed in all
   * @param announced how many receives were announced
   * @return what is wrong with it; null where nothing is
   */
  @Nullable String arrive(int place, long bytes, long mayCome, long announced) {
    long length = bytes - OfiShorts.HEADER;
    if (length < 0 || length > OfiShorts.LONGEST) {
      return ErrorText.of("a short message in %d bytes", bytes);
    }
    long number = shorts.number(place);
    if (number >= mayCome) {
      return ErrorText.of("short message %d, and only %d were allowed so far", number, mayCome);
    }
    // At most PLACES are allowed beyond those that have left their place, so none meets another.
    if (number < came || number - came >= PLACES || early[slot(number)] != 0) {
      return ErrorText.of("short message %d twice or too early, behind %d", number, came);
    }
    int piece = shorts.piece(place);
    long receive = shorts.receive(place);
    // A sender that knows of no piece names the first receive that it was not told of.
    long last = piece == OfiShorts.UNKNOWN ? announced : announced - 1;
    if (receive < 0 || receive > last || piece < OfiShorts.UNKNOWN || piece >= OfiCommEnd.PIECES) {
      return ErrorText.of(
          "short message %d for piece %d of receive %d, where %d were announced",
          number, piece, receive, announced);
    }
    lengths[place] = (int) length;
    early[slot(number)] = place + 1;
    for (int at = early[slot(came)]; at != 0; at = early[slot(came)]) {
      early[slot(came)] = 0;
      waiting[waitingCount++] = at - 1;
      came++;
    }
    return null;
  }

  private static int slot(long number) {
    return (int) (number % PLACES);
  }
}
