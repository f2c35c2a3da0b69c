// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which port of this side and which of the peer's each queue pair of a connection joins. Two such
 * ports are a path, and several queue pairs may be on one. Immutable; both sides have the same but
 * for the side that they see it from, and so agree about sets of paths, in which bit {@code 8 * s +
 * r} is the path from the sender's port {@code s} to the receiver's port {@code r}.
 */
public final class Paths {
  private static final int MOST_PORTS = 8;

  private final boolean sending;
  private final int[] ports;
  private final int[] peerPorts;

  private Paths(boolean sending, int[] ports, int[] peerPorts) {
    this.sending = sending;
    this.ports = ports;
    this.peerPorts = peerPorts;
  }

  /**
   * Returns those that a connection begins with: each side's ports in turn.
   *
   * @param sending whether this side sends
   * @param lanes how many queue pairs
   * @param count how many ports this side has, 1 to 8
   * @param peerCount how many the peer has, 1 to 8
   * @return the paths
   */
  public static Paths of(boolean sending, int lanes, int count, int peerCount) {
    if (count < 1 || count > MOST_PORTS || peerCount < 1 || peerCount > MOST_PORTS) {
      throw new IllegalArgumentException(count + " and " + peerCount + " ports");
    }
    return new Paths(
        sending,
        IntStream.range(0, lanes).map(i -> i % count).toArray(),
        IntStream.range(0, lanes).map(i -> i % peerCount).toArray());
  }

  /** {@return how many queue pairs there are} */
  public int lanes() {
    return ports.length;
  }

  /**
   * Returns the end of a queue pair here.
   *
   * @param lane which queue pair
   * @return which of this side's ports, from 0
   */
  public int port(int lane) {
    return ports[lane];
  }

  /**
   * Returns the end of a queue pair there.
   *
   * @param lane which queue pair
   * @return which of the peer's ports, from 0
   */
  public int peerPort(int lane) {
    return peerPorts[lane];
  }

  /** Returns the path of a queue pair, as a set. */
  long of(int lane) {
    int sender = sending ? ports[lane] : peerPorts[lane];
    int receiver = sending ? peerPorts[lane] : ports[lane];
    return 1L << (MOST_PORTS * sender + receiver);
  }

  /** Returns the paths that end at a port of this side. */
  long through(int port) {
    return set(IntStream.range(0, lanes()).filter(lane -> ports[lane] == port));
  }

  /** Returns all of them. */
  long all() {
    return set(IntStream.range(0, lanes()));
  }

  private long set(IntStream some) {
    return some.mapToLong(this::of).reduce(0, (one, other) -> one | other);
  }

  /** Returns how many there are. */
  int count() {
    return Long.bitCount(all());
  }

  /** Returns what is left, in the same order, without some. */
  Paths without(long lost) {
    int[] left = IntStream.range(0, lanes()).filter(lane -> (of(lane) & lost) == 0).toArray();
    return new Paths(
        sending,
        Arrays.stream(left).map(lane -> ports[lane]).toArray(),
        Arrays.stream(left).map(lane -> peerPorts[lane]).toArray());
  }

  /** Returns the ports of this side that are used. */
  List<Integer> ports() {
    return Arrays.stream(ports).distinct().sorted().boxed().toList();
  }
}
