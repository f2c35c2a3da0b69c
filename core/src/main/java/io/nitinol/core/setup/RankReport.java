// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.EngineView;
import io.nitinol.core.progress.FlightRecorder;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.Transport;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks where one rank of a communicator stands, and puts it into words: for its flight recorder's
 * file, and for {@code nitinol top}. Reading waits for no operation and changes none.
 */
@AnyThread
final class RankReport {
  /**
   * How many operations a report has of those that are done, and of the others, for a live view.
   */
  private static final int FEW = 32;

  /** The same for a history that is asked for once, at about 300 bytes each. */
  private static final int MANY = 1024;

  /** How many ends of connections a report has, at about 70 bytes each. */
  private static final int MOST_FLOWS = 4096;

  /** The same for a live view. */
  private static final int FEW_FLOWS = 64;

  private static final String ON_REQUEST = "request";
  private static final String ON_ERROR = "error";

  private final Engine engine;
  private final FlightText.Subject subject;
  private final List<Transport> transports;

  /**
   * Creates it.
   *
   * @param communicator the same on all its ranks, and no other's
   * @param name what the application calls it; null where it does not
   * @param transports in the order in which connecting chooses among them
   */
  RankReport(
      Engine engine,
      long communicator,
      @Nullable String name,
      int rank,
      List<PeerInfo> peers,
      List<Transport> transports) {
    this.engine = engine;
    this.subject = new FlightText.Subject(communicator, name, rank, peers, this::transport);
    this.transports = transports;
  }

  /** Returns the number of the communicator. */
  long communicator() {
    return subject.communicator();
  }

  int rank() {
    return subject.rank();
  }

  /** Returns all ranks of the communicator. */
  List<PeerInfo> peers() {
    return subject.peers();
  }

  /** Returns where the rank stands at this moment, with all ends of connections. */
  FlightText.State look() {
    return look(false);
  }

  private FlightText.State look(boolean live) {
    long nowNanos = System.nanoTime();
    long nowMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    EngineView view = engine.view();
    List<EngineView.Wait> waits = List.of();
    String note = null;
    try {
      waits = view.waits();
    } catch (RuntimeException e) { // the connections are being closed, or change meanwhile
      note = "the waits could not be told: " + e;
    }
    List<Connectors.Flow> flows =
        live
            ? telling(engine.links().flows(Integer.MAX_VALUE), waits)
            : engine.links().flows(MOST_FLOWS);
    long quiet = view.quietNanos();
    long moves = view.moves();
    // In this order, so that each that is done is among the entries.
    long done = view.completedOperations();
    long bytes = 0;
    long last = view.submitted();
    List<FlightRecorder.Entry> entries = List.of();
    try {
      bytes = view.bytesOf(done);
      entries = view.operations(last);
    } catch (RuntimeException e) { // an operation's place is filled anew while it is looked at
      note = "the operations could not be told: " + e;
    }
    long begun = view.collectivesBegun();
    return new FlightText.State(
        nowNanos, nowMicros, last, done, waits, flows, note, bytes, moves, quiet, entries, begun);
  }

  /** Returns the text of what the rank has failed with, as it stood then. */
  String ofFailure(@Nullable CommException failure, FlightText.State state) {
    return FlightText.of(subject, ON_ERROR, failure, state, Integer.MAX_VALUE);
  }

  /** Returns the text of how the rank stands now, with all operations that are kept. */
  String now() {
    return now(Integer.MAX_VALUE, false);
  }

  /** Returns the text of how the rank stands now, short enough to be asked for each second. */
  String live() {
    return now(FEW, true);
  }

  /** Returns the text of how the rank stands now, with what it has done lately. */
  String history() {
    return now(MANY, false);
  }

  private String now(int around, boolean live) {
    CommException failure = engine.failures().get();
    String reason = failure == null ? ON_REQUEST : ON_ERROR;
    return FlightText.of(subject, reason, failure, look(live), around);
  }

  /**
   * Returns the few ends of connections by which messages that are lost can be found. These are, in
   * this order: the receiving ends that lack messages of ranks that this one waits for; the sending
   * ends with messages that the network is not done with; the other sending ends, since a network
   * like TCP is done with what it then loses.
   */
  static List<Connectors.Flow> telling(List<Connectors.Flow> flows, List<EngineView.Wait> waits) {
    Set<Integer> awaited = waits.stream().map(EngineView.Wait::rank).collect(Collectors.toSet());
    return flows.stream()
        .filter(flow -> flow.sends() || (flow.pending() > 0 && awaited.contains(flow.peer())))
        .sorted(
            Comparator.comparing(Connectors.Flow::sends).thenComparing(flow -> flow.pending() == 0))
        .limit(FEW_FLOWS)
        .toList();
  }

  /** Returns the name of the first transport that reaches a rank, as connecting chooses it. */
  private @Nullable String transport(int peer) {
    for (Transport transport : transports) {
      if (transport.canConnect(subject.peers().get(peer), subject.self())) {
        return transport.name();
      }
    }
    return null;
  }
}
