// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.proof.Transcript;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The streams of one comm that have reached its listener, in whatever order they come. */
final class Gathering {
  private final CommId comm;
  private final int flags;
  private long since;
  private final @Nullable Stranger[] streams;
  private final boolean[] proven;
  private int present;
  private int provenCount;

  /**
   * Begins with no stream.
   *
   * @param first the hello of the first stream
   * @param agreement how many streams a comm of this listener has
   */
  Gathering(StreamHello first, Agreement agreement) {
    this.comm = first.comm();
    this.flags = first.flags();
    this.streams = new @Nullable Stranger[agreement.streams()];
    this.proven = new boolean[agreement.streams()];
  }

  /** Returns what speaks against taking a stream with {@code hello} in, or null. */
  @Nullable String objection(StreamHello hello, Agreement agreement) {
    if (!hello.agreement().equals(agreement)) {
      return ErrorText.of(
          "it belongs to a comm of %s, this listener's handle asks for %s",
          hello.agreement().label(), agreement.label());
    }
    if (hello.index() >= streams.length) {
      return "it is stream " + hello.index() + " of " + streams.length;
    }
    if (streams[hello.index()] != null) {
      return "stream " + hello.index() + " of its " + comm.label() + " has come before";
    }
    if (hello.flags() != flags) {
      return "it wants other features than the streams of its comm that came before";
    }
    return null;
  }

  /**
   * Takes in a stream against which there is no objection.
   *
   * @param now the time, on the clock of System.nanoTime
   */
  void add(Stranger stream, long now) {
    since = now;
    streams[stream.hello().index()] = stream;
    present++;
  }

  /**
   * Looks at those that have not proven themselves.
   *
   * @param dropped told of each that turned out to be no peer or gone; it may come once more
   */
  void look(long now, Arrivals dropped) {
    for (int i = 0; i < streams.length; i++) {
      Stranger stream = streams[i];
      if (stream == null || proven[i]) {
        continue;
      }
      switch (stream.look(now)) {
        case WAIT, GREETED -> {}
        case PROVEN -> {
          proven[i] = true;
          provenCount++;
        }
        case DROP -> {
          streams[i] = null;
          present--;
          dropped.drop(stream, stream.reason());
        }
      }
    }
  }

  CommId comm() {
    return comm;
  }

  /**
   * Returns the features that the connecting side wants, which nobody can have invented once a
   * stream is proven.
   */
  int flags() {
    return flags;
  }

  /** Returns when the last stream came. */
  long since() {
    return since;
  }

  boolean isEmpty() {
    return present == 0;
  }

  /** Returns whether one stream at least comes from a peer. */
  boolean isOfPeer() {
    return provenCount > 0;
  }

  boolean isComplete() {
    return provenCount == streams.length;
  }

  /** Returns how far it has come, for messages. */
  String progress() {
    return provenCount + " of the " + streams.length + " streams of " + comm.label();
  }

  /** Returns the address of one of its streams for messages. */
  String from() {
    for (Stranger stream : streams) {
      if (stream != null) {
        return stream.from();
      }
    }
    return "nowhere";
  }

  /** Returns the channels of a complete comm in the order of their indices. */
  SocketChannel[] channels() {
    SocketChannel[] channels = new SocketChannel[streams.length];
    for (int i = 0; i < channels.length; i++) {
      channels[i] = Objects.requireNonNull(streams[i], "stream of a complete comm").channel();
    }
    return channels;
  }

  /** Returns what was said on the streams of a complete comm, in the order of their indices. */
  Transcript[] transcripts() {
    Transcript[] said = new Transcript[streams.length];
    for (int i = 0; i < said.length; i++) {
      said[i] = Objects.requireNonNull(streams[i], "stream of a complete comm").transcript();
    }
    return said;
  }

  /** Closes what is there. */
  void close(Arrivals arrivals) {
    for (Stranger stream : streams) {
      if (stream != null) {
        arrivals.close(stream.channel());
      }
    }
  }
}
