// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.FlightRecorder;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank's {@link FlightRecorder} keeps, and what the rank waits for, to the file of
 * {@code NITINOL_FLIGHT_RECORDER_FILE}: when the communicator fails, and on request. {@code
 * docs/diagnosis.md} says what the file contains; {@code nitinol diagnose} reads it.
 */
@AnyThread
final class FlightFile {
  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int SPACE = ' ';

  /** What this process is just writing because of failures; each removes itself. */
  private static final Set<Thread> WRITERS = ConcurrentHashMap.newKeySet();

  /** Has the process wait for its writers when it exits, from the first use of this class. */
  private static final class Exit {
    static final Thread HOOK = new Thread(() -> join(WRITERS), "nitinol-flight-recorder-exit");

    static {
      try {
        Runtime.getRuntime().addShutdownHook(HOOK);
      } catch (IllegalStateException exitsAlready) {
        // what is written from here on may be lost
      }
    }

    private Exit() {}

    static Thread hook() {
      return HOOK;
    }
  }

  private final Settings settings;
  private final Engine engine;
  private final FlightRecorder recorder;
  private final long communicator;
  private final int rank;
  private final List<PeerInfo> peers;
  private final List<Transport> transports;
  private final Path file;
  private final DebugLogger logger;

  /** Writes the file of a failure; null before that. */
  private volatile @Nullable Thread writer;

  private FlightFile(
      Settings settings,
      Engine engine,
      FlightRecorder recorder,
      long communicator,
      int rank,
      List<PeerInfo> peers,
      List<Transport> transports,
      Path file,
      DebugLogger logger) {
    this.settings = settings;
    this.engine = engine;
    this.recorder = recorder;
    this.communicator = communicator;
    this.rank = rank;
    this.peers = peers;
    this.transports = transports;
    this.file = file;
    this.logger = logger;
  }

  /**
   * Has the engine keep its operations, if a file is named; before the engine starts.
   *
   * @param communicator the same on all its ranks, and no other's
   * @return null where nothing is kept
   */
  static @Nullable FlightFile open(
      Settings settings,
      Engine engine,
      long communicator,
      int rank,
      List<PeerInfo> peers,
      List<Transport> transports,
      DebugLogger logger) {
    String named = settings.get(CoreVariables.FLIGHT_RECORDER_FILE);
    int operations = settings.get(CoreVariables.FLIGHT_RECORDER);
    if (named.isEmpty()) {
      if (!settings.get(CoreVariables.FLIGHT_RECORDER_TRIGGER).isEmpty()) {
        unmet(
            settings,
            logger,
            CoreVariables.FLIGHT_RECORDER_TRIGGER,
            ErrorText.of(
                "is set without %s, so nothing is kept or written",
                CoreVariables.FLIGHT_RECORDER_FILE));
      }
      return null;
    }
    if (operations == 0) {
      unmet(
          settings,
          logger,
          CoreVariables.FLIGHT_RECORDER_FILE,
          ErrorText.of("nothing is kept or written, since %s is 0", CoreVariables.FLIGHT_RECORDER));
      return null;
    }
    String text = named.contains("%r") ? named : named + ".%r";
    text = text.contains("%c") ? text : text + ".%c";
    text =
        text.replace("%r", Integer.toString(rank))
            .replace("%c", Long.toHexString(communicator))
            .replace("%p", Long.toString(ProcessHandle.current().pid()));
    Path path;
    try {
      path = Path.of(text);
      OutputFile.requireWritable(path);
    } catch (IOException | InvalidPathException e) {
      unmet(
          settings,
          logger,
          CoreVariables.FLIGHT_RECORDER_FILE,
          ErrorText.of("%s cannot be written, so nothing is kept: %s", text, ErrorText.reason(e)));
      return null;
    }
    FlightRecorder recorder = new FlightRecorder(operations);
    engine.record(recorder);
    FlightFile made =
        new FlightFile(
            settings, engine, recorder, communicator, rank, peers, transports, path, logger);
    Exit.hook(); // before there is a failure, since a process that exits takes no more hooks
    engine.failures().onStop(made::stopped);
    return made;
  }

  /** Tells, unasked for, that what a variable asks for cannot be had. */
  private static void unmet(
      Settings settings, DebugLogger logger, Variable<String> variable, String why) {
    UnmetRequest.report(
        settings,
        logger,
        variable,
        ErrorText.of("%s=%s: %s", variable, settings.get(variable), why));
  }

  /** Writes the file on request; it says so if that fails. */
  void write() {
    CommException failure = engine.failures().get();
    write(failure == null ? "request" : "error", failure, look());
  }

  /**
   * Keeps what the rank waits for at this moment, and leaves the text and the writing to a thread:
   * whichever thread noticed the failure must not wait for a file, and the ranks are still about to
   * agree on the cause. A daemon, so that a file system that hangs keeps no process from its end.
   */
  private void stopped() {
    State state = look();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("nitinol-flight-recorder-" + rank)
            .unstarted(() -> writeOfFailure(state));
    writer = thread;
    WRITERS.add(thread);
    thread.start();
  }

  private void writeOfFailure(State state) {
    try {
      write("error", engine.failures().awaitVerdict(0), state);
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      WRITERS.remove(Thread.currentThread());
    }
  }

  /** Waits for the file of a failure. */
  void close() {
    Thread thread = writer;
    if (thread != null) {
      join(Set.of(thread));
    }
  }

  /** Waits for threads, no longer than {@link #JOIN_NANOS} for all of them. */
  private static void join(Set<Thread> threads) {
    long begin = System.nanoTime();
    try {
      for (Thread thread : threads) {
        long left = JOIN_NANOS - (System.nanoTime() - begin);
        if (left <= 0) {
          return;
        }
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that the file could not be written. */
  void failed(Exception e) {
    unmet(
        settings,
        logger,
        CoreVariables.FLIGHT_RECORDER_FILE,
        ErrorText.of("%s cannot be written: %s", file, ErrorText.reason(e)));
  }

  private synchronized void write(String reason, @Nullable CommException failure, State state) {
    StringBuilder text = new StringBuilder();
    text.append("{\"format\":\"nitinol-flight-recorder\",\"version\":1,\"communicator\":");
    quote(text, Long.toHexString(communicator));
    text.append(",\"rank\":").append(rank).append(",\"size\":").append(peers.size());
    text.append(",\"pid\":").append(ProcessHandle.current().pid());
    text.append(",\"reason\":");
    quote(text, reason);
    text.append(",\"failure\":");
    quote(text, failure == null ? null : failure.getMessage());
    text.append(",\"failed_rank\":").append(failure == null ? -1 : failure.failedRank());
    append(text, state);
    text.append("}\n");
    try {
      OutputFile.write(file, text.toString());
    } catch (IOException e) {
      failed(e);
    }
  }

  /**
   * Where the rank stands.
   *
   * @param nowNanos when, by {@link System#nanoTime}
   * @param nowMicros when, in microseconds since 1970
   * @param last the number of the last operation submitted
   * @param done the number of the last operation done
   * @param waits what it waits for
   * @param note why that could not be told; null where it could
   * @param entries the last operations; none where all were replaced while they were read, as
   *     millions of calls in a second do it
   * @param collectivesBegun what counts then
   */
  private record State(
      long nowNanos,
      long nowMicros,
      long last,
      long done,
      List<Engine.Wait> waits,
      @Nullable String note,
      List<FlightRecorder.Entry> entries,
      long collectivesBegun) {}

  private State look() {
    long nowNanos = System.nanoTime();
    long nowMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    List<Engine.Wait> waits = List.of();
    String note = null;
    try {
      waits = engine.waits();
    } catch (RuntimeException e) { // the connections are being closed, or change meanwhile
      note = "the waits could not be told: " + e;
    }
    // In this order, so that each that is done is among the entries.
    long done = engine.completedOperations();
    long last = engine.submitted();
    List<FlightRecorder.Entry> entries = recorder.entries(last);
    long begun = engine.collectivesBegun();
    return new State(nowNanos, nowMicros, last, done, waits, note, entries, begun);
  }

  private void append(StringBuilder text, State state) {
    long collectives = state.entries().isEmpty() ? state.collectivesBegun() : 0;
    long collectivesDone = collectives;
    for (FlightRecorder.Entry entry : state.entries()) {
      collectives = entry.collectives();
      if (entry.sequence() <= state.done()) {
        collectivesDone = collectives;
      }
    }
    text.append(",\"written_us\":").append(state.nowMicros());
    text.append(",\"submitted\":").append(state.last());
    text.append(",\"completed\":").append(state.done());
    text.append(",\"collectives\":").append(collectives);
    text.append(",\"collectives_done\":").append(collectivesDone);
    text.append(",\"note\":");
    quote(text, state.note());
    text.append(",\"waits\":[");
    String comma = "";
    for (Engine.Wait wait : state.waits()) {
      text.append(comma).append("{\"rank\":").append(wait.rank()).append(",\"transport\":");
      quote(text, transport(wait.rank()));
      text.append(",\"for\":");
      quote(text, wait.what());
      text.append('}');
      comma = ",";
    }
    text.append("],\"operations\":[");
    comma = "\n";
    for (FlightRecorder.Entry entry : state.entries()) {
      text.append(comma);
      append(text, entry, state.done(), state.nowMicros(), state.nowNanos());
      comma = ",\n";
    }
    text.append(']');
  }

  private static void append(
      StringBuilder text, FlightRecorder.Entry entry, long done, long nowMicros, long nowNanos) {
    long header = entry.header();
    text.append("{\"sequence\":").append(entry.sequence());
    text.append(",\"number\":").append(entry.number());
    if (entry.isBatch()) {
      text.append(",\"collective\":\"send_recv\",\"call\":");
      quote(text, ErrorText.of("a batch with %d send and receive lists", entry.transfers()));
    } else {
      Collective collective = Collective.ofCode(MessageHeader.collective(header));
      DataType type = DataType.ofCode(MessageHeader.type(header));
      text.append(",\"collective\":");
      quote(text, collective == null ? null : collective.label());
      text.append(",\"call\":");
      quote(text, Operation.describeAsked(header, entry.countWord()));
      text.append(",\"count\":").append(MessageHeader.count(entry.countWord()));
      text.append(",\"type\":");
      quote(text, type == null ? null : type.label());
      text.append(",\"operator\":");
      quote(text, Operation.operator(MessageHeader.op(header)).strip());
      text.append(",\"root\":").append(MessageHeader.root(header)).append(",\"way\":");
      quote(text, Choice.describe(MessageHeader.choice(header, entry.countWord())));
    }
    text.append(",\"state\":");
    boolean ended = entry.sequence() <= done;
    quote(text, ended ? "done" : entry.begun() != 0 ? "begun" : "submitted");
    time(text, "submitted_us", entry.submitted(), nowMicros, nowNanos);
    time(text, "begun_us", entry.begun(), nowMicros, nowNanos);
    time(text, "ended_us", ended ? entry.ended() : 0, nowMicros, nowNanos);
    text.append('}');
  }

  private static void time(
      StringBuilder text, String name, long nanos, long nowMicros, long nowNanos) {
    text.append(",\"").append(name).append("\":");
    if (nanos == 0) {
      text.append("null");
    } else {
      text.append(nowMicros - TimeUnit.NANOSECONDS.toMicros(nowNanos - nanos));
    }
  }

  /** Returns the name of the first transport that reaches a rank, as connecting chooses it. */
  private @Nullable String transport(int peer) {
    for (Transport transport : transports) {
      if (transport.canConnect(peers.get(peer), peers.get(rank))) {
        return transport.name();
      }
    }
    return null;
  }

  private static void quote(StringBuilder text, @Nullable String value) {
    if (value == null) {
      text.append("null");
      return;
    }
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < SPACE) {
        text.append(ErrorText.of("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
