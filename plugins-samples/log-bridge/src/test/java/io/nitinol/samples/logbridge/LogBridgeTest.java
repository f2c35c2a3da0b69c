// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.logbridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.log.Log;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.log.v1.LogLine;
import io.nitinol.spi.log.v1.LogSink;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log arrives in real frameworks, and on standard error where they fail or are too slow. */
@Timeout(60)
class LogBridgeTest {
  private final Output standard = new Output();

  /** Keeps what was written, for threads that wait for it. */
  private static final class Output extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      super.write(bytes, from, length);
      notifyAll();
    }

    synchronized String await(String part) throws InterruptedException {
      while (!toString(StandardCharsets.UTF_8).contains(part)) {
        wait();
      }
      return toString(StandardCharsets.UTF_8);
    }
  }

  /** Fails at each line. */
  public static final class Throwing implements LogSink {
    @Override
    public String name() {
      return "throwing";
    }

    @Override
    public void write(LogLine line) {
      Throwing.<RuntimeException>undeclared(new IOException("disk full"));
    }

    @SuppressWarnings("unchecked") // as Kotlin and Scala throw
    private static <T extends Throwable> void undeclared(Throwable failure) throws T {
      throw (T) failure;
    }
  }

  /** Drops, without a word, what comes after the process has begun to end, as frameworks do. */
  public static final class Closing implements LogSink {
    private static final AtomicBoolean CLOSED = new AtomicBoolean();
    private static final CountDownLatch TAKEN = new CountDownLatch(1);

    @Override
    public String name() {
      return "closing";
    }

    @Override
    public void write(LogLine line) {
      LockSupport.parkNanos(1_000_000); // slow enough that lines wait when the process ends
      if (!CLOSED.get()) {
        System.out.println("taken: " + line.message());
        if (line.message().equals("line 0;")) {
          TAKEN.countDown();
        }
      }
    }
  }

  /** Takes no line before it may. */
  public static final class Waiting implements LogSink {
    static final Semaphore MAY = new Semaphore(0);
    static final BlockingQueue<String> TAKEN = new LinkedBlockingQueue<>();

    @Override
    public String name() {
      return "waiting";
    }

    @Override
    public void write(LogLine line) {
      try {
        MAY.acquire();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      TAKEN.add(line.thread().getName() + " " + line.location() + " " + line.message());
    }
  }

  /** Logs by Nitinol, whose line it is about to log. */
  public static final class Recursive implements LogSink {
    static final BlockingQueue<String> TAKEN = new LinkedBlockingQueue<>();
    static volatile Log log;

    @Override
    public String name() {
      return "recursive";
    }

    @Override
    public void write(LogLine line) {
      log.info(LogSubsystem.NET, "Recursive", "about " + line.message());
      TAKEN.add(line.message());
    }
  }

  /** Writes to standard output, each line in one call to the system. */
  public static final class Printing implements LogSink {
    @Override
    public String name() {
      return "printing";
    }

    @Override
    public void write(LogLine line) {
      System.out.println("taken: " + line.message());
    }
  }

  /** A program that logs more than has room, and ends; with an argument, after the sink has. */
  public static final class Program {
    static final int LINES = 3000;

    private Program() {}

    /** Starts it. */
    public static void main(String[] args) throws InterruptedException {
      Log log = Log.process();
      if ("closing".equals(System.getenv("NITINOL_LOG"))) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Closing.CLOSED.set(true)));
      }
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> log.info(LogSubsystem.NET, "Program", "line last;")));
      for (int i = 0; i < LINES; i++) {
        log.info(LogSubsystem.NET, "Program", "line " + i + ";");
      }
      if ("closing".equals(System.getenv("NITINOL_LOG"))) {
        // A busy machine may not have come so far.
        if (!Closing.TAKEN.await(2, TimeUnit.MINUTES)) {
          throw new IllegalStateException("the sink has not taken line 0 within two minutes");
        }
      }
      for (Thread each : Thread.getAllStackTraces().keySet()) {
        if (args.length > 0 && each.getName().equals("nitinol-log")) {
          each.join();
        }
      }
    }
  }

  private Log log(String sink) {
    return new Log(
        Settings.of(Map.of("NITINOL_LOG", sink, "NCCL_DEBUG", "INFO", "NCCL_DEBUG_SUBSYS", "ALL")),
        standard);
  }

  @Test
  void linesAreInJavaUtilLoggingBehindSystemLogger() throws InterruptedException {
    BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            records.add(line);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.nitinol");
    logger.addHandler(handler);
    try {
      Log log = log("System").withRank(3);
      log.warn("Here", "a {0} warning");
      log.info(LogSubsystem.NET, "Here", "a connection");
      LogRecord warning = records.poll(50, TimeUnit.SECONDS);
      assertThat(warning.getLevel()).isEqualTo(Level.WARNING);
      assertThat(warning.getLoggerName()).isEqualTo("io.nitinol");
      assertThat(warning.getMessage()).isEqualTo("[rank 3] a {0} warning");
      LogRecord information = records.poll(50, TimeUnit.SECONDS);
      assertThat(information.getLevel()).isEqualTo(Level.INFO);
      assertThat(information.getLoggerName()).isEqualTo("io.nitinol.net");
      assertThat(standard.size()).isZero();
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void linesAreInSlf4j() throws InterruptedException {
    PrintStream before = System.err;
    Output simple = new Output();
    System.setErr(new PrintStream(simple, true, StandardCharsets.UTF_8)); // slf4j-simple's
    try {
      // NCCL_DEBUG is not set: warnings are wanted where a framework is.
      Log log = new Log(Settings.of(Map.of("NITINOL_LOG", "slf4j")), standard);
      log.info(LogSubsystem.NET, "Here", "not wanted");
      log.warn("Here", "a {} warning");
      assertThat(simple.await("a {} warning"))
          .contains("WARN io.nitinol - a {} warning")
          .doesNotContain("not wanted");
      assertThat(standard.size()).isZero();
    } finally {
      System.setErr(before);
    }
  }

  @Test
  void whereASinkThrowsTheLogGoesOnAtStandardErrorWithOneWarning() throws InterruptedException {
    Log log = log("throwing").withRank(2);
    log.info(LogSubsystem.NET, "Here", "first line");
    String text = standard.await("first line");
    log.info(LogSubsystem.NET, "Here", "second line");
    text = standard.await("second line");
    assertThat(text)
        .containsOnlyOnce("log sink throwing failed: ")
        .contains("disk full; the log goes to standard error\n")
        .contains(
            ":%d [2] NCCL INFO first line\n".formatted(Thread.currentThread().threadId()),
            ":%d [2] NCCL INFO second line\n".formatted(Thread.currentThread().threadId()));
  }

  @Test
  void aSinkThatWaitsHoldsNoThreadUpThatLogs() throws InterruptedException {
    Log log = log("waiting");
    for (int i = 0; i < 1100; i++) {
      log.info(LogSubsystem.NET, "Here", "line " + i + ";");
    }
    String beyond = standard.await("line 1099;");
    assertThat(beyond).as("beyond the room").doesNotContain("line 5;");
    String before = Thread.currentThread().getName() + " Here ";
    Waiting.MAY.release(600);
    int taken = 0;
    String line = Waiting.TAKEN.poll(50, TimeUnit.SECONDS);
    while (line != null && taken < 599) {
      assertThat(line).isEqualTo(before + "line " + taken + ";");
      taken++;
      line = Waiting.TAKEN.poll(50, TimeUnit.SECONDS);
    }
    log.info(LogSubsystem.NET, "Here", "after the gap");
    Waiting.MAY.release(10_000);
    while (line != null && line.equals(before + "line " + taken + ";")) {
      taken++;
      line = Waiting.TAKEN.poll(50, TimeUnit.SECONDS);
    }
    assertThat(taken + beyond.lines().count()).isEqualTo(1100);
    assertThat(line)
        .as("in the place of those that went elsewhere")
        .isEqualTo(
            "%s Log %d lines are missing here: more than 1024 waited, these went to standard"
                + " error",
            Thread.currentThread().getName(), 1100 - taken);
    assertThat(Waiting.TAKEN.poll(50, TimeUnit.SECONDS)).isEqualTo(before + "after the gap");
  }

  @Test
  void aSinkThatLogsByNitinolIsNotGivenItsOwnLines() throws InterruptedException {
    Log log = log("recursive");
    Recursive.log = log;
    log.info(LogSubsystem.NET, "Here", "a line");
    log.info(LogSubsystem.NET, "Here", "another");
    assertThat(Recursive.TAKEN.poll(50, TimeUnit.SECONDS)).isEqualTo("a line");
    assertThat(Recursive.TAKEN.poll(50, TimeUnit.SECONDS)).isEqualTo("another");
    assertThat(standard.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("NCCL INFO about a line\n")
        .containsOnlyOnce("NCCL INFO about another\n");
  }

  @Test
  void noLineIsLostOrWrittenTwiceWhenTheProcessEnds() throws Exception {
    String text = program("printing", "");
    for (int i = 0; i < Program.LINES; i++) {
      assertThat(text).containsOnlyOnce("line " + i + ";");
    }
    assertThat(text).containsOnlyOnce("line last;").contains("taken: line 0;");
  }

  @Test
  void aFrameworkThatClosesFirstLosesAtMostTheLineInHand() throws Exception {
    String text = program("closing", "");
    int lost = 0;
    for (int i = 0; i < Program.LINES; i++) {
      lost += text.contains("line " + i + ";") ? 0 : 1;
    }
    assertThat(lost).isLessThanOrEqualTo(1);
    assertThat(text).contains("taken: line 0;");
  }

  @Test
  void aWarningOfAPluginIsAmongTheWarnings() {
    LogLine line =
        new LogLine(
            Instant.now(),
            LogLevel.WARN,
            LogSubsystem.NET.mask(),
            0,
            Thread.currentThread(),
            "Here",
            0,
            "a warning");
    assertThat(LoggerName.of(line)).isEqualTo("io.nitinol");
  }

  @Test
  void withoutAProviderOfSlf4jTheLogIsOnStandardError() throws Exception {
    assertThat(program("slf4j", "slf4j-simple"))
        .contains("log sink slf4j failed: ", "SLF4J found no provider on the path")
        .contains("NCCL INFO line 0;", "NCCL INFO line 2999;");
  }

  @Test
  void withoutSlf4jTheLogIsOnStandardError() throws Exception {
    assertThat(program("slf4j", "slf4j-"))
        .contains("log sink slf4j failed: java.lang.NoClassDefFoundError: org/slf4j/")
        .contains("NCCL INFO line 0;", "NCCL INFO line 2999;");
  }

  @Test
  void aNameOfNoSinkIsAWarningThatListsThem() throws InterruptedException {
    log("slf5j").info(LogSubsystem.NET, "Here", "goes on");
    assertThat(standard.await("NCCL INFO goes on"))
        .contains("NITINOL_LOG=slf5j (from ")
        .contains("names no log sink on the path of this program; expected stderr, or one of")
        .contains("system, slf4j");
  }

  /** Runs {@link Program} without the jars of a name; returns its output and error output. */
  private static String program(String sink, String without) throws Exception {
    String path =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(each -> without.isEmpty() || !new File(each).getName().startsWith(without))
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-cp", path, Program.class.getName()).redirectErrorStream(true);
    if (!without.isEmpty()) {
      builder.command().add("join");
    }
    builder.environment().put("NITINOL_LOG", sink);
    builder.environment().put("NCCL_DEBUG", "INFO");
    builder.environment().put("NCCL_DEBUG_SUBSYS", "ALL");
    Process process = builder.start();
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    } finally {
      process.destroyForcibly();
    }
  }
}
