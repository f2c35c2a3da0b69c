// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.config.MisspeltNames;
import io.nitinol.core.config.VariableTable;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.log.v1.LogLine;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The log; mirrors NCCL's {@code debug.cc}. {@code NCCL_DEBUG} says how much is written (unset:
 * nothing, or warnings with {@code NITINOL_VALIDATE} or {@code NITINOL_LOG}), {@code
 * NCCL_DEBUG_SUBSYS} about what, {@code NCCL_DEBUG_FILE} where to. Where it names no file, {@code
 * NITINOL_LOG} may name a {@link io.nitinol.spi.log.v1.LogSink} of the application.
 *
 * <p>A line reads {@code host:pid:thread [rank] NCCL INFO text}, with the file and line before the
 * word NCCL in warnings, as NCCL writes them, so that searches for its lines go on working. It
 * begins with the time where {@code NCCL_DEBUG_TIMESTAMP_LEVELS} says so. The thread is the JVM's
 * number of it, the one that a thread dump shows after {@code #}; the rank is -1 where none is
 * known. Unlike NCCL's, the log goes to standard error where no file is named, since standard
 * output belongs to the application, and a named file is appended to and not emptied, so that
 * processes can share it.
 *
 * <p>A line is written by one call to the system, so lines of several processes do not mix. A line
 * that is switched off costs two field reads and allocates nothing.
 */
@AnyThread
public final class Log implements DebugLogger {
  private static final class Process {
    static final Log INSTANCE = new Log(Settings.process());

    static {
      Settings.process().warnTo(text -> INSTANCE.warn("Settings", text));
      INSTANCE.reportSettings(Settings.process());
    }
  }

  /** The value of {@link CoreVariables#LOG} that names no sink. */
  private static final String STDERR = "stderr";

  private final int level;

  /** Whether a setting says how much is to be written. */
  private final boolean asked;

  private final long mask;
  private final int rank;
  private final TimeStamps times;
  private final LogOutput output;

  /** What takes the lines in place of {@link #output}, or null. */
  private final @Nullable SinkThread sink;

  private Log(
      int level,
      boolean asked,
      long mask,
      int rank,
      TimeStamps times,
      LogOutput output,
      @Nullable SinkThread sink) {
    this.level = level;
    this.asked = asked;
    this.mask = mask;
    this.rank = rank;
    this.times = times;
    this.output = output;
    this.sink = sink;
  }

  /**
   * Creates a log as {@code settings} say, which ends at standard error where they name no file.
   */
  public Log(Settings settings) {
    this(settings, new FileOutputStream(FileDescriptor.err));
  }

  /**
   * Creates a log as {@code settings} say.
   *
   * @param standard where lines go when no file is named or it cannot be written; never closed here
   */
  public Log(Settings settings, OutputStream standard) {
    String wanted = settings.get(CoreVariables.DEBUG);
    this.asked = settings.isSet(CoreVariables.DEBUG);
    boolean misspelt =
        asked
            && !wanted.equalsIgnoreCase(
                String.valueOf(settings.raw(CoreVariables.DEBUG.name())).strip());
    // With a misspelt level the user wants to see something, the warning about it at least; with
    // plugins checked, the findings; with a log sink, what a reader of the application's log needs.
    String taker = settings.get(CoreVariables.LOG).strip();
    boolean bridged = !taker.isEmpty() && !taker.equalsIgnoreCase(STDERR);
    boolean checks = !asked && (bridged || settings.get(CoreVariables.VALIDATE) > 0);
    this.level = misspelt || checks ? LogLevel.WARN.code() : LogLevel.valueOf(wanted).code();
    this.mask = subsystems(settings).mask();
    this.rank = -1;
    this.times = TimeStamps.of(settings);
    this.output = new LogOutput(standard);
    String file = settings.get(CoreVariables.DEBUG_FILE).strip();
    if (!file.isEmpty() && level > LogLevel.VERSION.code()) {
      open(LogOutput.expand(file));
    }
    boolean wantsSink = bridged && file.isEmpty() && level > LogLevel.VERSION.code();
    this.sink =
        wantsSink
            ? new SinkThread(taker, settings.source(CoreVariables.LOG), this::writeStandard)
            : null;
    mistakes(settings).forEach(mistake -> warn("Log", mistake));
  }

  /** Returns the log of this process, made from its settings when first asked for. */
  public static Log process() {
    return Process.INSTANCE;
  }

  /** Returns a log with the same destination and filters whose lines carry {@code newRank}. */
  public Log withRank(int newRank) {
    return new Log(level, asked, mask, newRank, times, output, sink);
  }

  /** Says which variables are set, as NCCL does of those it reads. */
  void reportSettings(Settings settings) {
    if (!isEnabled(LogLevel.INFO, LogSubsystem.ENV.mask())) {
      return;
    }
    for (String name : new TreeSet<>(settings.names())) {
      String value = settings.raw(name);
      if (value != null && !value.isBlank()) {
        String shown = VariableTable.isSecret(name) ? "(hidden)" : value;
        info(LogSubsystem.ENV, "Settings", name + " set to " + shown);
      }
    }
  }

  /**
   * Warns of variables that look misspelt; also without a log where the job may be less safe or
   * slower than its user thinks. A process that Nitinol has launched leaves it to the launcher, and
   * numbered ranks leave it to the first, since all have the same variables.
   *
   * @param table what is declared, by the plugins that were found too
   */
  public void reportMisspelt(Settings settings, VariableTable table) {
    String number = settings.raw(LaunchVariables.RANK.name());
    boolean othersDo = settings.isSet(LaunchVariables.UNIQUE_ID);
    if (othersDo || (number != null && !number.strip().equals("0"))) {
      return;
    }
    for (MisspeltNames.Found found : MisspeltNames.in(settings, table)) {
      if (found.grave()) {
        tell(this, "Settings", found.sentence());
      } else {
        warn("Settings", found.sentence());
      }
    }
  }

  /**
   * Warns of something that every user must hear: the line is also written where {@code NCCL_DEBUG}
   * is not set, but not where it is NONE or VERSION. A log that is not of this class just gets a
   * warning.
   */
  public static void tell(DebugLogger to, String location, String message) {
    if (to instanceof Log log && !log.asked) {
      log.write(LogLevel.WARN, LogSubsystem.ALL, location, 0, message);
    } else {
      to.warn(location, message);
    }
  }

  /** Returns whether a line that is told to this log is written, unless its file fails. */
  public static boolean isHeard(DebugLogger log) {
    return (log instanceof Log own && !own.asked) || log.isEnabled(LogLevel.WARN, LogSubsystem.ALL);
  }

  /**
   * Returns a sentence for each part of {@code NCCL_DEBUG_SUBSYS}, {@code
   * NCCL_DEBUG_TIMESTAMP_LEVELS} and {@code NCCL_DEBUG_TIMESTAMP_FORMAT} that means nothing.
   */
  public static List<String> mistakes(Settings settings) {
    List<String> mistakes = new ArrayList<>(subsystems(settings).mistakes());
    mistakes.addAll(TimeStamps.of(settings).mistakes());
    return mistakes;
  }

  private static NameMask subsystems(Settings settings) {
    return NameMask.of(settings, CoreVariables.DEBUG_SUBSYS, "subsystem", Log::subsystem);
  }

  private static long subsystem(String name) {
    for (LogSubsystem each : LogSubsystem.values()) {
      if (each.name().equals(name)) {
        return each.mask();
      }
    }
    return 0;
  }

  private void open(String file) {
    try {
      output.open(Path.of(file));
    } catch (IOException | InvalidPathException e) {
      warn(
          "Log",
          ErrorText.of(
              "%s=%s cannot be written, the log goes to standard error: %s",
              CoreVariables.DEBUG_FILE, file, e.getMessage()));
    }
  }

  @Override
  public boolean isEnabled(LogLevel wanted, long subsystems) {
    return wanted.code() <= level && (subsystems & mask) != 0;
  }

  @Override
  public void log(LogLevel at, long subsystems, String location, int line, String message) {
    if (at == LogLevel.NONE || !isEnabled(at, subsystems)) {
      return;
    }
    write(at, subsystems, location, line, message);
  }

  private void write(LogLevel at, long subsystems, String location, int line, String message) {
    LogLine written =
        new LogLine(
            Instant.now(), at, subsystems, rank, Thread.currentThread(), location, line, message);
    if (sink == null || !sink.take(written)) {
      writeStandard(written);
    }
  }

  private void writeStandard(LogLine line) {
    StringBuilder text = new StringBuilder(96 + line.message().length());
    LogLevel at = line.level();
    if (at != LogLevel.VERSION) { // NCCL prints its version line bare
      times.begin(text, at, line.time());
      text.append(LogOutput.HOST_AND_PID)
          .append(':')
          .append(line.thread().threadId())
          .append(" [")
          .append(line.rank())
          .append("] ");
      if (at == LogLevel.WARN || at == LogLevel.TRACE) {
        text.append(line.location()).append(':').append(line.line()).append(' ');
      }
      text.append("NCCL ").append(at.name()).append(' ');
    }
    text.append(line.message()).append('\n');
    output.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
