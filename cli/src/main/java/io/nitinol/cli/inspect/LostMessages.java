// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Messages of a connection that were sent and have not arrived, although their receiver has asked
 * the network for them.
 *
 * <p>An example: three ranks in a ring wait for one another, and each could be the cause. Rank 1
 * counts two messages that it has sent to rank 2, and rank 2 one that has arrived from rank 1. On
 * the other connections both ends count the same. So it is the link from rank 1 to rank 2.
 *
 * <p>Another one: two ranks both send first and receive then. Neither has come to its receive, so
 * neither has asked the network for anything. What they sent is not lost, and the order of their
 * calls is to blame. The same holds for a sender that is ahead on one connection while the receiver
 * waits on another.
 *
 * @param from the rank that has sent
 * @param to the rank that waits
 * @param transport by which they are connected
 * @param connection which connection of those between the two
 * @param sent how many messages the network has accepted for it
 * @param arrived how many of them have arrived
 */
public record LostMessages(
    int from, int to, String transport, String connection, long sent, long arrived) {
  /**
   * Finds them.
   *
   * @param byRank what the ranks have written
   * @param stands whether the operation at hand of a rank has stood still for long enough
   */
  static List<LostMessages> of(SortedMap<Integer, FlightLog> byRank, Predicate<FlightLog> stands) {
    Set<LostMessages> found = new LinkedHashSet<>(); // a receiver may wait for a rank many times
    for (FlightLog receiver : byRank.values()) {
      if (!stands.test(receiver)) {
        continue;
      }
      for (FlightLog.Wait wait : receiver.waits()) {
        FlightLog sender = byRank.get(wait.rank());
        // A sender whose own call has only just begun may have sent after the receiver wrote.
        if (sender != null && (sender.since() == FlightLog.NEVER || stands.test(sender))) {
          compare(sender, receiver, wait.transport(), found);
        }
      }
    }
    return List.copyOf(found);
  }

  private static void compare(
      FlightLog sender, FlightLog receiver, String transport, Set<LostMessages> found) {
    for (FlightLog.Flow sent : sender.flows()) {
      if (!sent.sends() || sent.rank() != receiver.rank()) {
        continue;
      }
      for (FlightLog.Flow arrived : receiver.flows()) {
        if (!arrived.sends()
            && arrived.rank() == sender.rank()
            && arrived.connection().equals(sent.connection())
            && arrived.messages() < Math.min(sent.messages(), arrived.expected())) {
          found.add(
              new LostMessages(
                  sender.rank(),
                  receiver.rank(),
                  transport,
                  sent.connection(),
                  sent.messages(),
                  arrived.messages()));
        }
      }
    }
  }
}
