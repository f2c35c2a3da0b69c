// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.FlightLog;
import io.nitinol.cli.inspect.JsonFields;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the process of one rank has answered of it.
 *
 * @param log what a diagnosis needs
 * @param name what the application calls the communicator; null where it does not
 * @param host the name of its host
 * @param process what the ranks know its process by
 * @param done how many operations are done
 * @param bytes how many bytes these have
 * @param moves how many things have happened, to tell what goes on from what stands still
 * @param quietMicros for how long nothing has moved although something is pending
 * @param ofHost the ranks of its host, itself among them
 */
record LiveRank(
    FlightLog log,
    @Nullable String name,
    String host,
    long pid,
    String process,
    long done,
    long bytes,
    long moves,
    long quietMicros,
    SortedSet<Integer> ofHost) {
  /** Which rank of which communicator in which process. */
  record Key(String communicator, int rank, String process) {}

  Key key() {
    return new Key(log.communicator(), log.rank(), process);
  }

  /**
   * Reads one.
   *
   * @throws IOException with the member that is wrong
   */
  static LiveRank of(JsonNode node) throws IOException {
    FlightLog log = FlightLog.of(node);
    SortedSet<Integer> ofHost = new TreeSet<>();
    for (JsonNode rank : JsonFields.array(node, "ranks_of_host")) {
      if (!rank.isInt() || rank.asInt() < 0 || rank.asInt() >= log.size()) {
        throw new IOException(
            "\"ranks_of_host\" contains " + JsonFields.shown(rank) + "; expected ranks");
      }
      ofHost.add(rank.asInt());
    }
    return new LiveRank(
        log,
        node.path("name").isString() ? JsonFields.text(node, "name") : null,
        node.path("host").isString() ? JsonFields.text(node, "host") : "unknown",
        JsonFields.whole(node, "pid", 0, Long.MAX_VALUE),
        JsonFields.text(node, "process"),
        JsonFields.whole(node, "completed", 0, Long.MAX_VALUE),
        JsonFields.whole(node, "bytes", Long.MIN_VALUE, Long.MAX_VALUE),
        JsonFields.whole(node, "moves", Long.MIN_VALUE, Long.MAX_VALUE),
        JsonFields.whole(node, "quiet_us", 0, Long.MAX_VALUE),
        ofHost);
  }
}
