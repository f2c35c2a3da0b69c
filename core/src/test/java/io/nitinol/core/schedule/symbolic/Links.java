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

  private record Message(List<SymbolicPiece> data, long[] clock) {}

  private record Link(int from, int to) {}

  private final Map<Link, ArrayDeque<Message>> links = new HashMap<>();
  private final long slotCount;
  private final int networkPeer;
  private final Network network;

  /**
   * Creates a task without connections.
   *
   * @param networkPeer the number by which schedules know the network
   */
  Links(long slotCount, int networkPeer, Network network) {
    this.slotCount = slotCount;
    this.networkPeer = networkPeer;
    this.network = network;
  }

  boolean isNetwork(int peer) {
    return peer == networkPeer;
  }

  /** Connects a head with the network, in the group of the heads with its number. */
  void join(int rank, int head) {
    network.join(rank, head);
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
    return isNetwork(from) ? network.hasResult(to) : !link(from, to).isEmpty();
  }

  boolean hasRoom(int from, int to) {
    return isNetwork(to) ? network.hasRoom(from) : link(from, to).size() < SLOTS;
  }

  void send(int from, int to, List<SymbolicPiece> data, Clock by) {
    Values.check(SymbolicPiece.length(data) <= slotCount, "sends more than a slot holds");
    if (isNetwork(to)) {
      network.send(from, data, by);
      return;
    }
    link(from, to).add(new Message(data, by.snapshot()));
  }

  List<SymbolicPiece> receive(int from, int to, Clock by) {
    if (isNetwork(from)) {
      return network.receive(to, by);
    }
    Message message = link(from, to).remove();
    by.join(message.clock());
    return message.data();
  }

  void checkEmpty() {
    network.checkEmpty();
    links.forEach((link, messages) ->
        Values.check(messages.isEmpty(), link + " has messages that nobody received"));
  }
}
