// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A diagnosis for programs, as {@code docs/diagnosis.md} has it. */
public final class DiagnosisJson {
  private DiagnosisJson() {}

  /** Puts what is known of one communicator into {@code node}. */
  public static void put(Diagnosis diagnosis, ObjectNode node) {
    node.put("communicator", diagnosis.communicator());
    node.put("size", diagnosis.size());
    diagnosis.missing().forEach(node.putArray("missing")::add);
    ArrayNode old = node.putArray("old");
    diagnosis
        .old()
        .forEach((rank, micros) -> old.addObject().put("rank", rank).put("older_us", micros));
    ArrayNode behind = node.putArray("behind");
    diagnosis
        .behind()
        .forEach((rank, called) -> behind.addObject().put("rank", rank).put("called", called));
    Diagnosis.Disagreement disagreement = diagnosis.disagreement();
    if (disagreement == null) {
      node.putNull("disagreement");
    } else {
      ObjectNode shown = node.putObject("disagreement").put("number", disagreement.number());
      ArrayNode calls = shown.putArray("calls");
      disagreement
          .calls()
          .forEach((call, ranks) ->
              ranks.forEach(calls.addObject().put("call", call).putArray("ranks")::add));
    }
    ArrayNode waits = node.putArray("waits");
    for (Diagnosis.Link link : diagnosis.links()) {
      waits
          .addObject()
          .put("rank", link.from())
          .put("for_rank", link.to())
          .put("transport", link.transport())
          .put("for", link.what());
    }
    ArrayNode circles = node.putArray("circles");
    diagnosis.circles().forEach(circle -> circle.forEach(circles.addArray()::add));
    ArrayNode lost = node.putArray("lost");
    for (LostMessages each : diagnosis.lost()) {
      lost.addObject()
          .put("rank", each.from())
          .put("to_rank", each.to())
          .put("transport", each.transport())
          .put("connection", each.connection())
          .put("sent", each.sent())
          .put("arrived", each.arrived());
    }
    diagnosis.sentences().forEach(node.putArray("sentences")::add);
  }
}
