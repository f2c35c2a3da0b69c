// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections of one task: each is the receive slots of its receiver and nothing else, the
 * strictest of networks. What is sent on leaves its slot only when the next rank has a free one.
 */
final class Links {
  static final int SLOTS = 8;

  private record Message(List<Piece> data, long[] clock) {}

  private record Link(int from, int to) {}

  private final Map<Link, ArrayDeque<Message>> links = new HashMap<>();
  private final long slotCount;

  Links(long slotCount) {
    this.slotCount = slotCount;
  }

  void connect(int from, int to) {
    links.putIfAbsent(new Link(from, to), new ArrayDeque<>());
  }

  private ArrayDeque<Message> link(int from, int to) {
    ArrayDeque<Message> link = links.get(new Link(from, to));
    if (link == null) {
      throw new AssertionError("no connection from " + from + " to " + to);
    }
    return link;
  }

  boolean hasMessage(int from, int to) {
    return !link(from, to).isEmpty();
  }

  boolean hasRoom(int from, int to) {
    return link(from, to).size() < SLOTS;
  }

  void send(int from, int to, List<Piece> data, Clock by) {
    Values.check(Piece.length(data) <= slotCount, "sends more than a slot holds");
    link(from, to).add(new Message(data, by.snapshot()));
  }

  List<Piece> receive(int from, int to, Clock by) {
    Message message = link(from, to).remove();
    by.join(message.clock());
    return message.data();
  }

  void checkEmpty() {
    links.forEach((link, messages) ->
        Values.check(messages.isEmpty(), link + " has messages that nobody received"));
  }
}
