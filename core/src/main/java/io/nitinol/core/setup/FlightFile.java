// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
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
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank's {@link FlightRecorder} keeps, and what the rank waits for, to the file of
 * {@code NITINOL_FLIGHT_RECORDER_FILE}: when the communicator fails, and on request. {@code
 * docs/diagnosis.md} says what the file contains; {@code nitinol diagnose} reads it.
 */
@AnyThread
final class FlightFile {
  private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(10);
  private static final int SPACE = ' ';

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
      Engine engine,
      FlightRecorder recorder,
      long communicator,
      int rank,
      List<PeerInfo> peers,
      List<Transport> transports,
      Path file,
      DebugLogger logger) {
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
    if (named.isEmpty() || operations == 0) {
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
      logger.warn(
          "FlightRecorder",
          ErrorText.of(
              "%s=%s: %s cannot be written: %s",
              CoreVariables.FLIGHT_RECORDER_FILE, named, text, ErrorText.reason(e)));
      return null;
    }
    FlightRecorder recorder = new FlightRecorder(operations);
    engine.record(recorder);
    FlightFile made =
        new FlightFile(engine, recorder, communicator, rank, peers, transports, path, logger);
    engine.failures().onStop(made::stopped);
    return made;
  }

  /** Writes the file on request; it says so if that fails. */
  void write() {
    CommException failure = engine.failures().get();
    write(failure == null ? "request" : "error", failure, state());
  }

  /**
   * Keeps what the rank waits for at this moment, and leaves the writing to a thread: whichever
   * thread noticed the failure must not wait for a file, and the ranks are still about to agree on
   * the cause.
   */
  private void stopped() {
    String state = state();
    Thread thread =
        new Thread(
            () -> write("error", engine.failures().awaitVerdict(0), state),
            "nitinol-flight-recorder-" + rank);
    writer = thread;
    thread.start();
  }

  /** Waits for the file of a failure. */
  void close() {
    Thread thread = writer;
    if (thread == null) {
      return;
    }
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write(String reason, @Nullable CommException failure, String state) {
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
    text.append(state).append("}\n");
    try {
      OutputFile.write(file, text.toString());
    } catch (IOException e) {
      logger.warn(
          "FlightRecorder", ErrorText.of("%s cannot be written: %s", file, ErrorText.reason(e)));
    }
  }

  /** Returns the members of the file that tell where the rank stands. */
  private String state() {
    StringBuilder text = new StringBuilder();
    long nowNanos = System.nanoTime();
    long nowMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    long last = engine.submitted();
    long done = engine.completedOperations();
    text.append(",\"written_us\":").append(nowMicros);
    text.append(",\"submitted\":").append(last).append(",\"completed\":").append(done);
    text.append(",\"waits\":[");
    String comma = "";
    for (Engine.Wait wait : engine.waits()) {
      text.append(comma).append("{\"rank\":").append(wait.rank()).append(",\"transport\":");
      quote(text, transport(wait.rank()));
      text.append(",\"for\":");
      quote(text, wait.what());
      text.append('}');
      comma = ",";
    }
    text.append("],\"operations\":[");
    comma = "\n";
    for (FlightRecorder.Entry entry : recorder.entries(last)) {
      text.append(comma);
      append(text, entry, done, nowMicros, nowNanos);
      comma = ",\n";
    }
    return text.append(']').toString();
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
