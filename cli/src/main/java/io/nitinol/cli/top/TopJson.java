// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.DiagnosisJson;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A look for programs: one line, so that looks can be read one after the other. */
final class TopJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private TopJson() {}

  /**
   * Returns a look as one JSON object without line breaks.
   *
   * @param micros when, in microseconds since 1970
   */
  static String line(long micros, LiveLook look, List<CommunicatorView> views) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("time_us", micros);
    root.put("processes", look.processes());
    ArrayNode silent = root.putArray("silent");
    look.silent().values().forEach(each -> put(each, silent.addObject()));
    ArrayNode communicators = root.putArray("communicators");
    for (CommunicatorView view : views) {
      ObjectNode node = communicators.addObject();
      DiagnosisJson.put(view.diagnosis(), node);
      node.put("name", view.name());
      node.put("troubled", view.diagnosis().troubled());
      ArrayNode ranks = node.putArray("ranks");
      view.rows().forEach(row -> put(row, ranks.addObject()));
    }
    look.problems().forEach(root.putArray("problems")::add);
    return MAPPER.writeValueAsString(root);
  }

  private static void put(LiveLook.Silent silent, ObjectNode node) {
    JobMembers.Asked asked = silent.asked();
    if (asked == null) {
      node.put("pid", silent.pid());
    } else {
      node.put("communicator", asked.communicator());
      asked.ranks().forEach(node.putArray("ranks")::add);
      node.put("place", silent.place());
    }
    node.put("why", silent.why());
  }

  private static void put(CommunicatorView.Row row, ObjectNode node) {
    LiveRank rank = row.rank();
    RankHistory.Progress progress = row.progress();
    node.put("rank", rank.log().rank());
    node.put("host", rank.host());
    node.put("pid", rank.pid());
    node.put("done", rank.done());
    node.put("bytes", rank.bytes());
    if (progress.hasRates()) {
      node.put("operations_per_s", progress.operationsPerSecond());
      node.put("bytes_per_s", progress.bytesPerSecond());
    } else {
      node.putNull("operations_per_s");
      node.putNull("bytes_per_s");
    }
    node.put("under_way", rank.log().doing());
    node.put("under_way_us", progress.underWayMicros());
    node.put("standing_us", progress.standingMicros());
    node.put("failure", rank.log().failure());
  }
}
