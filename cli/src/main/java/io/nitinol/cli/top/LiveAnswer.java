// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.JsonFields;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what a process has answered, of which nothing is believed before it was looked at. */
final class LiveAnswer {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String FORMAT = "nitinol-top";

  private LiveAnswer() {}

  /** Returns whether a process does not know what it was asked. */
  static boolean isUnknownRequest(byte[] answer) {
    try {
      JsonNode root = MAPPER.readTree(answer);
      return FORMAT.equals(root.path("format").asString("")) && root.path("error").isString();
    } catch (JacksonException e) {
      return false;
    }
  }

  /**
   * Reads the document itself.
   *
   * @throws IOException where it is none, or where the process tells of an error
   */
  static JsonNode document(byte[] answer) throws IOException {
    JsonNode root;
    try {
      root = MAPPER.readTree(answer);
    } catch (JacksonException e) {
      throw new IOException(
          "its answer is no whole JSON document: " + JsonFields.printable(e.getOriginalMessage()),
          e);
    }
    if (!FORMAT.equals(root.path("format").asString(""))) {
      throw new IOException("its answer is none to nitinol top");
    }
    if (root.path("error").isString()) {
      throw new IOException(JsonFields.text(root, "error"));
    }
    return root;
  }

  /**
   * Reads the ranks that a process of this user and host has told of.
   *
   * @throws IOException with what is wrong
   */
  static List<LiveRank> ranks(byte[] answer) throws IOException {
    List<LiveRank> ranks = new ArrayList<>();
    for (JsonNode rank : JsonFields.array(document(answer), "ranks")) {
      ranks.add(LiveRank.of(rank));
    }
    return ranks;
  }

  /**
   * Reads the ranks that a process elsewhere has told of, which may be no others than those that
   * live in it.
   *
   * @throws IOException with what is wrong
   */
  static List<LiveRank> ranks(byte[] answer, JobMembers.Asked asked) throws IOException {
    List<LiveRank> ranks = ranks(answer);
    for (LiveRank rank : ranks) {
      if (!rank.log().communicator().equals(asked.communicator())
          || rank.log().size() != asked.size()
          || !rank.process().equals(asked.process())
          || !asked.ranks().contains(rank.log().rank())) {
        throw new IOException(
            ErrorText.of(
                "its answer tells of rank %d of %d of communicator %s in process %s, which is none"
                    + " of its own",
                rank.log().rank(), rank.log().size(), rank.log().communicator(), rank.process()));
      }
    }
    return ranks;
  }
}
