// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.core.team.TeamArea;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the connectors of one rank of a communicator. A connection is one direction between two
 * ranks on one channel for one use, and each of its ends is a connector. It is made in the
 * background, on the best transport that can, once both ends have been asked for; where that fails
 * the communicator does. None of the calls waits.
 *
 * <p>Channels here are numbers from 0 that tell connections apart and spread them over devices: the
 * engine asks for those of task {@code t} of a channel with {@code t} times the communicator's
 * channels added, so that tasks side by side never share one.
 */
@AnyThread
public interface Connectors {
  /** How many connections of {@link Use#DIRECT} a communicator of two ranks has, at most. */
  int MOST_DIRECT = 8;

  /** What a connection is for; connections for different uses are different ones. */
  enum Use {
    /** Schedules of collectives: large slots. */
    COLLECTIVE,
    /** Sends and receives between pairs: there may be many, so small slots. */
    PAIR,
    /**
     * Messages from and into memory of the class that asks, which moves them itself ({@code
     * DirectLink}); the slots stay unused and are small.
     */
    DIRECT
  }

  /**
   * What has gone through one connection over a network, as its end on this rank counts it.
   *
   * @param peer the rank at the other end
   * @param sends whether this is the sending end
   * @param messages how many the network has accepted, or have arrived
   * @param pending how many of those accepted the network is not done with; at the receiving end,
   *     how many more the network was asked for
   */
  record Flow(int peer, int channel, Use use, boolean sends, long messages, long pending) {}

  /** Returns the connection to {@code peer}, or null while it is being made. */
  @Nullable SendConnector sender(int peer, int channel, Use use);

  /** Returns the connection from {@code peer}, or null while it is being made. */
  @Nullable ReceiveConnector receiver(int peer, int channel, Use use);

  /**
   * Returns the shared memory of this rank's host for a channel, or null while it is being made,
   * for which every rank of the host must ask for it.
   *
   * @param protocol LL for small slots with flags in line, SIMPLE for large ones
   */
  @Nullable TeamArea team(int channel, Protocol protocol);

  /**
   * Returns a rank of this host that has not asked for the memory that {@link #team} was asked for,
   * so far as is known; -1 where none is known.
   */
  int missingMember(int channel, Protocol protocol);

  /**
   * Returns what is known of the connections with {@code peer} that are being made, to follow a
   * sentence that waits for one of them; empty where nothing is. Any thread.
   */
  default String connecting(int peer) {
    return "";
  }

  /**
   * Returns how often a connection that is being made has come forward, on this rank or with its
   * peer. It grows no more while none does. Any thread.
   */
  default long moves() {
    return 0;
  }

  /**
   * Returns what has gone through each connection over a network; more than {@code most} are left
   * out. Any thread.
   */
  default List<Flow> flows(int most) {
    return List.of();
  }

  /**
   * Returns the rank to name while the team is not there: the one after this one among those of its
   * host, and the first after the last. Where all waiting ranks name one, the way from any of them
   * ends at a rank that does not wait. -1 where this rank is alone.
   */
  default int nextOnHost() {
    return -1;
  }

  /**
   * Closes all connections and ends what makes them; no thread may be using them. To be called
   * once.
   *
   * @param errors what is thrown is added here; such a connection may still use its memory
   */
  void close(List<Throwable> errors);

  /**
   * Ends what makes connections, but leaves those that are there open, with their memory: for where
   * a thread may be using them for ever. To be called once, instead of {@link #close}. Does nothing
   * where nothing makes connections.
   *
   * @param errors what is thrown is added here
   */
  default void abandon(List<Throwable> errors) {}
}
