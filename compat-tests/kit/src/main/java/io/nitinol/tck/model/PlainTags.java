// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sequence with other tags, 1, 2, 3 and so on: tags have no meaning beyond being equal, so that
 * it fails as well unless the plugin sees more in them.
 */
final class PlainTags {
  private PlainTags() {}

  /** Returns the steps with plain tags; those of each connection begin with 1. */
  static List<NetStep> in(List<NetStep> steps) {
    Map<Integer, Map<Integer, Integer>> known = new HashMap<>();
    List<NetStep> plain = new ArrayList<>();
    for (NetStep step : steps) {
      Map<Integer, Integer> own = known.computeIfAbsent(step.connection(), _ -> new HashMap<>());
      plain.add(
          switch (step) {
            case NetStep.Send send ->
                new NetStep.Send(send.connection(), tag(own, send.tag()), send.length());
            case NetStep.Post post ->
                new NetStep.Post(
                    post.connection(),
                    post.tags().stream().map(tag -> tag(own, tag)).toList(),
                    post.hinted());
            default -> step;
          });
    }
    return plain;
  }

  private static int tag(Map<Integer, Integer> known, int tag) {
    Integer plain = known.get(tag);
    if (plain == null) {
      plain = known.size() + 1;
      known.put(tag, plain);
    }
    return plain;
  }
}
