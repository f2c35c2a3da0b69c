// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.toolkit.ErrorText;
import java.util.List;

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
   * @param room the bytes of room in each piece that is received on it
   */
  record Open(int connection, int listener, int room) implements NetStep {
    private static final int USUAL = 64;

    @Override
    public String text() {
      return ErrorText.of(
          "c%s: connect through listener %s; each piece has room for %s bytes",
          connection, listener, room);
    }

    @Override
    public List<NetStep> simpler() {
      return room == USUAL ? List.of() : List.of(new Open(connection, listener, USUAL));
    }
  }

  /** A receive of a piece for each tag. */
  record Post(int connection, List<Integer> tags) implements NetStep {
    /** Copies the tags. */
    public Post {
      tags = List.copyOf(tags);
    }

    @Override
    public String text() {
      return tags.size() == 1
          ? ErrorText.of("c%s: irecv with tag %s", connection, tags.getFirst())
          : ErrorText.of("c%s: irecv of %s pieces with tags %s", connection, tags.size(), tags);
    }

    @Override
    public List<NetStep> simpler() {
      return tags.size() == 1
          ? List.of()
          : List.of(new Post(connection, tags.subList(0, tags.size() - 1)));
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

  /** Memory that is registered once more; the older handles go when nothing uses them. */
  record RegisterAgain(int connection) implements NetStep {
    @Override
    public String text() {
      return ErrorText.of(
          "c%s: regMr of the same memory on both sides, for what comes; deregMr of the older"
              + " handles when nothing uses them",
          connection);
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
