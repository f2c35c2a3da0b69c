// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One step of a sequence of calls. Connections and listeners have small numbers. A step stands for
 * what a caller wants, not for one call: a send or receive for which the plugin has no room now is
 * asked for again in later steps of the same connection.
 */
public sealed interface NetStep {
  /** The {@link #connection} of a step that concerns none. */
  int NO_CONNECTION = -1;

  /** Returns the number of the connection, or {@link #NO_CONNECTION}. */
  default int connection() {
    return NO_CONNECTION;
  }

  /** Returns the step in words, on one line. */
  String text();

  /** Returns steps that ask for less and may take the place of this one; the least first. */
  default List<NetStep> simpler() {
    return List.of();
  }

  /**
   * A new connection through a listener, which is opened if it is not open.
   *
   * @param listener its context is {@link #contextOf}; even and odd ones are on different devices,
   *     where several are alike
   * @param room the bytes of room in each piece that is received on it
   * @param context the context that connects
   * @param device which of the devices that are alike connects
   */
  record Open(int connection, int listener, int room, int context, int device) implements NetStep {
    private static final int USUAL = 64;
    private static final int LISTENERS = 2;

    /** A connection within the first context, from the first device. */
    public Open(int connection, int listener, int room) {
      this(connection, listener, room, 0, 0);
    }

    /** Returns the context that a listener is opened in. */
    static int contextOf(int listener) {
      return listener / LISTENERS;
    }

    /** Returns a listener of a context. */
    static int listenerOf(int context, int which) {
      return LISTENERS * context + which % LISTENERS;
    }

    /** Returns the same connection within the first context. */
    Open inFirstContext() {
      return new Open(connection, listener % LISTENERS, room, 0, device);
    }

    @Override
    public String text() {
      String where =
          context == 0 && listener < LISTENERS
              ? ""
              : ErrorText.of(", from context %s to context %s", context, contextOf(listener));
      return ErrorText.of(
          "c%s: connect through listener %s%s%s; each piece has room for %s bytes",
          connection,
          listener,
          where,
          device == 0 ? "" : ErrorText.of(", from device %s of those alike", device),
          room);
    }

    @Override
    public List<NetStep> simpler() {
      return Stream.of(
              new Open(connection, listener % LISTENERS, USUAL),
              inFirstContext(),
              new Open(connection, listener, room, context, 0),
              new Open(connection, listener, USUAL, context, device))
          .filter(simpler -> !simpler.equals(this))
          .distinct()
          .<NetStep>map(simpler -> simpler)
          .toList();
    }
  }

  /**
   * A receive of a piece for each tag.
   *
   * @param hinted whether it may be complete before its messages are there (NET-RECV-18)
   */
  record Post(int connection, List<Integer> tags, boolean hinted) implements NetStep {
    /** Copies the tags. */
    public Post {
      tags = List.copyOf(tags);
    }

    /** A receive without a hint. */
    public Post(int connection, List<Integer> tags) {
      this(connection, tags, false);
    }

    @Override
    public String text() {
      String hint = hinted ? ", which may be complete early" : "";
      return tags.size() == 1
          ? ErrorText.of("c%s: irecv with tag %s%s", connection, tags.getFirst(), hint)
          : ErrorText.of(
              "c%s: irecv of %s pieces with tags %s%s", connection, tags.size(), tags, hint);
    }

    @Override
    public List<NetStep> simpler() {
      List<NetStep> simpler = new ArrayList<>();
      if (hinted) {
        simpler.add(new Post(connection, tags));
      }
      if (tags.size() > 1) {
        simpler.add(new Post(connection, tags.subList(0, tags.size() - 1), hinted));
      }
      return simpler;
    }
  }

  /**
   * A send.
   *
   * @param length in bytes
   */
  record Send(int connection, int tag, int length) implements NetStep {
    /** More than the bytes that tell a message from others. */
    private static final int USUAL = 2 * PlayedMemory.TELLING;

    @Override
    public String text() {
      return ErrorText.of("c%s: isend of %s bytes with tag %s", connection, length, tag);
    }

    @Override
    public List<NetStep> simpler() {
      return switch (length) {
        case USUAL -> List.of();
        // One byte in the place of none shows whether it matters that the message is empty.
        case 0 -> List.of(new Send(connection, tag, USUAL), new Send(connection, tag, 1));
        default -> List.of(new Send(connection, tag, USUAL));
      };
    }
  }

  /**
   * A test of one operation.
   *
   * @param sending whether of a send
   * @param place which of those in flight; counted again from the first where there are fewer
   */
  record TestOne(int connection, boolean sending, int place) implements NetStep {
    @Override
    public String text() {
      String tested = sending ? "send" : "receive";
      return place == 0
          ? ErrorText.of("c%s: test of the oldest %s in flight", connection, tested)
          : ErrorText.of(
              "c%s: test of one %s in flight, %s places behind the oldest, round and round",
              connection, tested, place);
    }

    @Override
    public List<NetStep> simpler() {
      return place == 0 ? List.of() : List.of(new TestOne(connection, sending, 0));
    }
  }

  /** A test of each operation in flight. */
  record TestAll(int connection) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("c%s: test of each operation in flight", connection);
    }
  }

  /** A flush of the last receive that has completed, if there is one. */
  record Flush(int connection) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("c%s: iflush of the last receive that is complete", connection);
    }
  }

  /**
   * Memory that is registered once more; the older handles go when nothing uses them.
   *
   * @param rest whether only the memory of what comes is registered, and not all
   */
  record RegisterAgain(int connection, boolean rest) implements NetStep {
    /** Registers all memory once more. */
    public RegisterAgain(int connection) {
      this(connection, false);
    }

    @Override
    public String text() {
      return ErrorText.of(
          "c%s: regMr of %s on both sides, for what comes; deregMr of the older handles when"
              + " nothing uses them",
          connection, rest ? "the rest of the memory" : "the same memory");
    }

    @Override
    public List<NetStep> simpler() {
      return rest ? List.of(new RegisterAgain(connection)) : List.of();
    }
  }

  /** What is missing on either side, and then tests until everything is complete. */
  record Finish(int connection) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of(
          "c%s: isend and irecv of what is missing; test until all is complete", connection);
    }
  }

  /** The close of one end, on which nothing is under way. */
  record Close(int connection, boolean sending) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("c%s: %s", connection, sending ? "closeSend" : "closeRecv");
    }
  }

  /** The close of both ends of a connection, whatever is under way on it. */
  record GiveUp(int connection, boolean sendingFirst) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of(
          "c%s: %s, whatever is under way",
          connection, sendingFirst ? "closeSend and closeRecv" : "closeRecv and closeSend");
    }
  }

  /** A message that is longer than its piece, after which both ends have failed (NET-RECV-07). */
  record Fail(int connection) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of(
          "c%s: isend of a message that is longer than its piece; test until the receive fails",
          connection);
    }
  }

  /** A call that the plugin has to refuse. */
  record Refuse(int connection, WrongCall call) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("c%s: %s, which is refused", connection, call.text());
    }
  }

  /** A further context. */
  record OpenContext(int context) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("init of context %s", context);
    }
  }

  /** The end of a further context, of which nothing is open. */
  record CloseContext(int context) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("finalize of context %s", context);
    }
  }

  /** A hint what will be done in a context. */
  record Announce(int context, int connections) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of(
          "setNetAttr of %s for context %s",
          connections < 0 ? "any number of connections" : connections + " connections", context);
    }
  }

  /** An attempt to connect that is given up, at a listener that is closed then. */
  record GiveUpConnect(int context, boolean accepting) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of(
          "listen, connect%s and no further call of them, closeListen, all in context %s",
          accepting ? ", accept" : "", context);
    }

    @Override
    public List<NetStep> simpler() {
      return accepting ? List.of(new GiveUpConnect(context, false)) : List.of();
    }
  }

  /** The close of a listener. */
  record CloseListener(int listener) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("closeListen of listener %s", listener);
    }
  }

  /** A while without calls. */
  record Rest(int micros) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of("no call for %s \u00b5s", micros);
    }
  }
}
