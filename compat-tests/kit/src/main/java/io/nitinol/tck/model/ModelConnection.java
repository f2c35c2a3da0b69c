// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * A connection as the contract has it: the k-th message of a tag belongs into the k-th piece of
 * that tag (NET-RECV-03, NET-RECV-09, NET-RECV-11), whatever comes first. Messages, pieces and
 * receives are counted from 0. One thread.
 */
final class ModelConnection {
  /** The answer where a message or a piece has no partner yet. */
  static final int NONE = -1;

  /** What the model sends where a piece has no message. */
  private static final int LEAST = 8;

  /** A message with the piece that it belongs into. */
  private static final class Message {
    final int tag;
    final int length;
    int piece = NONE;

    Message(int tag, int length) {
      this.tag = tag;
      this.length = length;
    }
  }

  /** A piece with the message that belongs into it. */
  private static final class Piece {
    final int receive;
    int message = NONE;

    Piece(int receive) {
      this.receive = receive;
    }
  }

  /** A receive of the pieces from the first on. */
  record Receive(int first, List<Integer> tags, boolean hinted) {}

  private final int room;
  private final int context;
  private final int listeningContext;
  private final List<Message> messages = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Receive> receives = new ArrayList<>();
  private final Map<Integer, Deque<Integer>> early = new HashMap<>();
  private final Map<Integer, Deque<Integer>> free = new HashMap<>();
  private int settledMessages;
  private int settledPieces;
  private long bytes;
  private boolean sendClosed;
  private boolean recvClosed;
  private boolean failed;

  /**
   * A connection that carries nothing yet.
   *
   * @param context the context of its sending end
   * @param listeningContext that of its receiving end
   */
  ModelConnection(int room, int context, int listeningContext) {
    this.room = room;
    this.context = context;
    this.listeningContext = listeningContext;
  }

  int room() {
    return room;
  }

  int messages() {
    return messages.size();
  }

  int pieces() {
    return pieces.size();
  }

  int receives() {
    return receives.size();
  }

  /** Returns the bytes of all messages together. */
  long bytes() {
    return bytes;
  }

  int tag(int message) {
    return messages.get(message).tag;
  }

  int length(int message) {
    return messages.get(message).length;
  }

  Receive receive(int receive) {
    return receives.get(receive);
  }

  /** Returns the receive that a message belongs into, or {@link #NONE}. */
  int receiveOf(int message) {
    int piece = messages.get(message).piece;
    return piece == NONE ? NONE : pieces.get(piece).receive;
  }

  /** Returns the message that belongs into a piece, or {@link #NONE}. */
  int messageOf(int piece) {
    return pieces.get(piece).message;
  }

  /** Returns whether messages of several tags have been sent or asked for. */
  boolean hasSeveralTags() {
    return tags() > 1;
  }

  private int tags() {
    return free.size();
  }

  /** Returns whether the connection has a message or piece of this tag, or none at all. */
  boolean knows(int tag) {
    return free.isEmpty() || free.containsKey(tag);
  }

  /** Returns how many messages, or pieces if those are more, came since all was complete. */
  int underWay() {
    return Math.max(messages.size() - settledMessages, pieces.size() - settledPieces);
  }

  /** Returns whether operations may be started on it. */
  boolean isOpen() {
    return !sendClosed && !recvClosed && !failed;
  }

  /** Returns whether one of its ends is in a context and is open. */
  boolean isIn(int one) {
    return (context == one && !sendClosed) || (listeningContext == one && !recvClosed);
  }

  /** Both ends have failed: nothing but their closes is left. */
  void fail() {
    failed = true;
  }

  /** Returns a tag that the connection may use in any case. */
  int anyTag() {
    return free.isEmpty() ? 1 : free.keySet().iterator().next();
  }

  boolean isClosed(boolean sending) {
    return sending ? sendClosed : recvClosed;
  }

  void close(boolean sending) {
    if (sending) {
      sendClosed = true;
    } else {
      recvClosed = true;
    }
  }

  void send(int tag, int length) {
    Message message = new Message(tag, length);
    int own = messages.size();
    messages.add(message);
    bytes += length;
    Integer piece = queue(free, tag).pollFirst();
    if (piece == null) {
      queue(early, tag).addLast(own);
    } else {
      message.piece = piece;
      pieces.get(piece).message = own;
    }
  }

  void post(List<Integer> tags, boolean hinted) {
    receives.add(new Receive(pieces.size(), tags, hinted));
    for (int tag : tags) {
      Piece piece = new Piece(receives.size() - 1);
      int own = pieces.size();
      pieces.add(piece);
      queue(free, tag);
      Integer message = queue(early, tag).pollFirst();
      if (message == null) {
        queue(free, tag).addLast(own);
      } else {
        piece.message = message;
        messages.get(message).piece = own;
      }
    }
  }

  /** Returns the waiting numbers of a tag, of which the connection knows from now on. */
  private Deque<Integer> queue(Map<Integer, Deque<Integer>> of, int tag) {
    free.computeIfAbsent(tag, _ -> new ArrayDeque<>());
    return of.computeIfAbsent(tag, _ -> new ArrayDeque<>());
  }

  /** Adds the messages and receives without which the others cannot complete; all are then. */
  void complete() {
    for (Receive receive : List.copyOf(receives)) {
      for (int i = 0; i < receive.tags().size(); i++) {
        if (pieces.get(receive.first() + i).message == NONE) {
          send(receive.tags().get(i), Math.min(room, LEAST));
        }
      }
    }
    for (Message message : List.copyOf(messages)) {
      if (message.piece == NONE) {
        post(List.of(message.tag), false);
      }
    }
    settledMessages = messages.size();
    settledPieces = pieces.size();
  }

  /**
   * Returns the oldest piece without which a receive cannot be complete, or {@link #NONE}: one of
   * its own, or of an older receive, since a receive gets nothing before those are full
   * (NET-RECV-03).
   *
   * @param started says which messages the plugin has taken
   */
  int obstacle(int receive, IntPredicate started) {
    Receive last = receives.get(receive);
    int end = last.first() + last.tags().size();
    for (int piece = 0; piece < end; piece++) {
      int message = pieces.get(piece).message;
      if (message == NONE || !started.test(message)) {
        return piece;
      }
    }
    return NONE;
  }

  /** Returns the receive that a piece is of. */
  int receiveWith(int piece) {
    return pieces.get(piece).receive;
  }
}
