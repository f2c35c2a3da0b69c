// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.core.config.VariableTable;
import io.nitinol.core.kernel.ThreadAllocation;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.SpecialFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTest {
  private static final long PID = ProcessHandle.current().pid();
  private final ByteArrayOutputStream standard = new ByteArrayOutputStream();

  private Log log(String... pairs) {
    return new Log(settings(pairs), standard);
  }

  private static Settings settings(String... pairs) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return Settings.of(values);
  }

  private String written() {
    return standard.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    ",",
    "NONE,",
    "VERSION,VERSION",
    "WARN,VERSION WARN",
    "INFO,VERSION WARN INFO",
    "info,VERSION WARN INFO",
    "ABORT,VERSION WARN INFO ABORT",
    "TRACE,VERSION WARN INFO ABORT TRACE",
  })
  void levelSaysHowMuch(String level, String expected) {
    Log log = level == null ? log() : log("NCCL_DEBUG", level);
    StringBuilder passed = new StringBuilder();
    for (LogLevel each : LogLevel.values()) {
      log.log(each, LogSubsystem.INIT.mask(), "T", 1, "at " + each);
      if (written().contains("at " + each + "\n")) {
        passed.append(' ').append(each);
      }
    }
    assertThat(passed.toString().strip()).isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource({"'',false", "stderr,false", "STDERR,false", "slf4j,true"})
  void warningsAreWantedWhereALogSinkIs(String sink, boolean wanted) {
    Log log = log("NITINOL_LOG", sink);
    assertThat(log.isEnabled(LogLevel.WARN, LogSubsystem.ALL)).isEqualTo(wanted);
    assertThat(log.isEnabled(LogLevel.INFO, LogSubsystem.ALL)).isFalse();
    assertThat(log("NITINOL_LOG", sink, "NCCL_DEBUG", "NONE").isEnabled(LogLevel.WARN, 1))
        .isFalse();
  }

  @Test
  void aFileIsPreferredToALogSink(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("log");
    log("NITINOL_LOG", "slf4j", "NCCL_DEBUG_FILE", file.toString()).warn("T", "a line");
    assertThat(Files.readString(file)).contains("NCCL WARN a line\n");
    assertThat(written()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({",true", "NONE,false", "VERSION,false", "WARN,true", "INFO,true"})
  void whatPeopleMustHearIsWrittenUnlessTheyWantNothing(String level, boolean written) {
    Log log = level == null ? log() : log("NCCL_DEBUG", level);
    Log.tell(log.withRank(3), "T", "rank 1 is missing");
    assertThat(written()).contains(written ? " [3] T:0 NCCL WARN rank 1 is missing\n" : "");
    assertThat(written().isEmpty()).isEqualTo(!written);
  }

  @ParameterizedTest
  @CsvSource({
    "NITINOL_TIMEUOT,,,1",
    "NITINOL_TIMEUOT,WARN,,1",
    "NITINOL_TIMEUOT,NONE,,0",
    "NITINOL_TIMEUOT,,0,1",
    "NITINOL_TIMEUOT,,1,0",
    "NCCL_BUFSIZE,,,0",
    "NCCL_BUFSIZE,WARN,,1",
    "NITINOL_MYNET_COLOUR,,,0",
  })
  void aMisspeltNameIsToldOnceWhereItMayDoHarm(String name, String level, String rank, int lines) {
    Map<String, String> values = new HashMap<>(Map.of(name, "1"));
    if (level != null) {
      values.put("NCCL_DEBUG", level);
    }
    if (rank != null) {
      values.put("NITINOL_RANK", rank);
    }
    Settings settings = Settings.of(values);
    new Log(settings, standard).reportMisspelt(settings, VariableTable.installed());
    assertThat(written().lines().filter(line -> line.contains("did you mean"))).hasSize(lines);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "         ; INIT ENV BOOTSTRAP",
        "NET      ; NET",
        "net,COLL ; COLL NET",
        "ALL      ; INIT COLL P2P NET ENV BOOTSTRAP ALLOC_HOST",
        "^NET,ENV ; INIT COLL P2P BOOTSTRAP ALLOC_HOST",
        "^ALL     ; ",
        "NET,     ; NET",
      })
  void subsystemsSayWhat(String value, String expected) {
    Log log =
        value == null
            ? log("NCCL_DEBUG", "INFO")
            : log("NCCL_DEBUG", "INFO", "NCCL_DEBUG_SUBSYS", value);
    List<String> passed =
        List.of("INIT", "COLL", "P2P", "NET", "ENV", "BOOTSTRAP", "ALLOC_HOST").stream()
            .filter(s -> log.isEnabled(LogLevel.INFO, LogSubsystem.valueOf(s).mask()))
            .toList();
    assertThat(passed)
        .containsExactlyInAnyOrderElementsOf(
            expected == null ? List.of() : List.of(expected.split(" ", -1)));
  }

  @Test
  void linesAreNccls() {
    Log log = log("NCCL_DEBUG", "TRACE", "NCCL_DEBUG_SUBSYS", "ALL");
    long thread = Thread.currentThread().threadId();
    log.info(LogSubsystem.NET, "here", "plugin chosen");
    log.withRank(3).info(LogSubsystem.NET, "here", "a rank's line");
    log.withRank(3).log(LogLevel.WARN, LogSubsystem.ALL, "Socket.java", 17, "broken");
    log.log(LogLevel.VERSION, LogSubsystem.ALL, "here", 0, "NCCL version x");
    List<String> lines = written().lines().toList();
    String prefix = "[^:. ]+:" + PID + ":" + thread + " ";
    assertThat(lines.get(0)).matches(prefix + Pattern.quote("[-1] NCCL INFO plugin chosen"));
    assertThat(lines.get(1)).matches(prefix + Pattern.quote("[3] NCCL INFO a rank's line"));
    String time = "\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\] ";
    assertThat(lines.get(2))
        .matches(time + prefix + Pattern.quote("[3] Socket.java:17 NCCL WARN broken"));
    assertThat(lines.get(3)).isEqualTo("NCCL version x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "WARN      ; %F %T.%3f |;  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\|; false; true",
        "info      ; 100%%|     ;  100%\\|; true; false",
        "ALL       ; %j%y|      ;  \\d{5}\\|; true; true",
        "^INFO     ; %R|        ;  \\d\\d:\\d\\d\\|; false; true",
        "^ALL      ; %R|        ;  never; false; false",
        "INFO,WARN ; ''         ;  ''; true; true",
        "ALL,WARN  ; %a %b %p|  ;  [A-Z][a-z]{2} [A-Z][a-z]{2} [AP]M\\|; true; true",
        "WARN,WARN ; %e %I|     ;  [ 1-3]\\d [01]\\d\\|; false; true",
        "WARN      ; %z|        ;  [-+]\\d{4}\\|; false; true"
      })
  void linesOfTheLevelsBeginWithTheTime(
      String levels, String format, String time, boolean info, boolean warn) {
    Log log =
        log(
            "NCCL_DEBUG",
            "INFO",
            "NCCL_DEBUG_TIMESTAMP_LEVELS",
            levels,
            "NCCL_DEBUG_TIMESTAMP_FORMAT",
            format);
    log.info(LogSubsystem.INIT, "here", "one");
    log.warn("here", "two");
    List<String> lines = written().lines().toList();
    assertThat(lines).as("no mistake is told").hasSize(2);
    String bare = "[^:. ]+:" + PID + ":.*";
    assertThat(lines.get(0)).matches((info ? time : "") + bare);
    assertThat(lines.get(1)).matches((warn ? time : "") + bare);
  }

  @Test
  void whatMeansNothingInATimeIsTold() {
    log("NCCL_DEBUG", "WARN", "NCCL_DEBUG_TIMESTAMP_FORMAT", "%Q %0f ");
    assertThat(written())
        .contains("NCCL_DEBUG_TIMESTAMP_FORMAT: %Q means nothing here")
        .contains("%0 means nothing here")
        .startsWith("%Q %0f ");
    log("NCCL_DEBUG", "WARN", "NCCL_DEBUG_TIMESTAMP_LEVELS", "WARN,LOUD");
    assertThat(written())
        .contains("NCCL_DEBUG_TIMESTAMP_LEVELS: there is no level \"LOUD\", expected [^]level");
  }

  @Test
  void unknownLevelWarnsAndShowsWarnings() {
    Settings settings = settings("NCCL_DEBUG", "LOUD");
    Log log = new Log(settings, standard);
    settings.warnTo(text -> log.warn("Settings", text));
    assertThat(written())
        .contains("NCCL WARN NCCL_DEBUG=LOUD: expected one of NONE, VERSION, WARN, INFO");
    assertThat(log.isEnabled(LogLevel.WARN, LogSubsystem.ALL)).isTrue();
    assertThat(log.isEnabled(LogLevel.INFO, LogSubsystem.ALL)).isFalse();
  }

  @Test
  void checkingPluginsShowsWarningsUnlessTheLevelIsSet() {
    assertThat(log("NITINOL_VALIDATE", "1").isEnabled(LogLevel.WARN, LogSubsystem.ALL)).isTrue();
    assertThat(log("NITINOL_VALIDATE", "1").isEnabled(LogLevel.INFO, LogSubsystem.ALL)).isFalse();
    assertThat(log("NITINOL_VALIDATE", "0").isEnabled(LogLevel.WARN, LogSubsystem.ALL)).isFalse();
    assertThat(
            log("NITINOL_VALIDATE", "1", "NCCL_DEBUG", "NONE")
                .isEnabled(LogLevel.WARN, LogSubsystem.ALL))
        .isFalse();
  }

  @Test
  void setVariablesAreReportedButNoSecrets() {
    Settings settings =
        settings("NCCL_DEBUG", "INFO", "NCCL_NET", "Socket", "NITINOL_COMM_SECRET", "swordfish");
    new Log(settings, standard).reportSettings(settings);
    assertThat(written())
        .contains("NCCL INFO NCCL_NET set to Socket\n")
        .contains("NCCL INFO NITINOL_COMM_SECRET set to (hidden)\n")
        .doesNotContain("swordfish");
  }

  @Test
  void unknownSubsystemWarns() {
    Log log = log("NCCL_DEBUG", "INFO", "NCCL_DEBUG_SUBSYS", "NET,WIFI");
    assertThat(written())
        .contains("NCCL_DEBUG_SUBSYS: there is no subsystem \"WIFI\", expected [^]name")
        .contains("(from the application)");
    assertThat(log.isEnabled(LogLevel.INFO, LogSubsystem.NET.mask())).isTrue();
  }

  @Test
  void fileTakesTheLines(@TempDir Path dir) throws IOException {
    Log log = log("NCCL_DEBUG", "INFO", "NCCL_DEBUG_FILE", dir + "/log-%h-%p-%%-%x");
    log.warn("T", "to the file");
    String host =
        Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().replaceFirst("\\..*", "");
    Path file = dir.resolve("log-" + host + "-" + PID + "-%-%x");
    assertThat(Files.readString(file)).endsWith("NCCL WARN to the file\n");
    new Log(settings("NCCL_DEBUG", "INFO", "NCCL_DEBUG_FILE", file.toString().replace("%", "%%")))
        .warn("T", "appended");
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(written()).isEmpty();
  }

  @Test
  void unwritableFileLeavesOneWarning(@TempDir Path dir) {
    Log log = log("NCCL_DEBUG", "WARN", "NCCL_DEBUG_FILE", dir + "/none/log");
    log.warn("T", "first");
    log.warn("T", "second");
    List<String> lines = written().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("NCCL_DEBUG_FILE=" + dir + "/none/log cannot be written");
    assertThat(lines.get(2)).endsWith("second");
  }

  @Test
  void fullDiskFallsBack() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "skipped: this system has no /dev/full");
    Log log = log("NCCL_DEBUG", "WARN", "NCCL_DEBUG_FILE", full.toString());
    log.warn("T", "not lost");
    log.warn("T", "nor this");
    assertThat(written().lines().toList()).hasSize(3);
    assertThat(written())
        .contains("the log's file fails")
        .contains("not lost")
        .contains("nor this");
  }

  /** Opening such a pipe for writing alone waits for a reader, in a call that nothing ends. */
  @Test
  void aPipeThatNoProcessReadsIsNotWaitedFor(@TempDir Path dir) throws Exception {
    Path pipe = SpecialFiles.pipe(dir.resolve("pipe"));
    Log log = log("NCCL_DEBUG", "WARN", "NCCL_DEBUG_FILE", pipe.toString());
    log.warn("T", "not lost");
    assertThat(written()).contains("the log's file fails").contains("not lost");
  }

  @Test
  void aLinkOfAnotherUserIsNotFollowedWhereOthersCanWrite(@TempDir Path dir) throws Exception {
    Path open = SpecialFiles.directory(dir.resolve("open"), 01777);
    Path precious = Files.writeString(dir.resolve("precious"), "mine");
    Path link = SpecialFiles.giveAway(Files.createSymbolicLink(open.resolve("log"), precious));
    log("NCCL_DEBUG", "WARN", "NCCL_DEBUG_FILE", link.toString()).warn("T", "not lost");
    assertThat(precious).hasContent("mine");
    assertThat(written()).contains("cannot be written").contains("is a symbolic link of user");
    assertThat(written()).contains("not lost");
  }

  @Test
  void noFileIsMadeWhenNothingIsLogged(@TempDir Path dir) {
    log("NCCL_DEBUG_FILE", dir + "/log");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void linesOfManyThreadsStayWhole() {
    List<byte[]> writes = Collections.synchronizedList(new ArrayList<>());
    OutputStream counting =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError("a byte alone");
          }

          @Override
          public void write(byte[] bytes) {
            writes.add(bytes);
          }
        };
    Log log = new Log(settings("NCCL_DEBUG", "WARN"), counting);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 400; i++) {
        int number = i;
        threads.execute(() -> log.warn("T", "line " + number));
      }
    }
    assertThat(writes).hasSize(400);
    assertThat(writes)
        .allSatisfy(
            b -> assertThat(new String(b, StandardCharsets.UTF_8)).matches("[^\n]+line \\d+\n"));
  }

  @Test
  void whatIsOffAllocatesNothing() throws Throwable {
    Log log = log("NCCL_DEBUG", "WARN");
    long warmUp = allocatedBy(log, 20_000);
    long measured = allocatedBy(log, 100_000);
    // The counter itself may allocate a little; a single object per call would be megabytes.
    assertThat(measured).as("after a warm-up that allocated %d", warmUp).isLessThan(1024);
    assertThat(written()).isEmpty();
  }

  private static long allocatedBy(Log log, int calls) throws Throwable {
    long before = ThreadAllocation.bytes();
    for (int i = 0; i < calls; i++) {
      if (log.isEnabled(LogLevel.INFO, LogSubsystem.NET.mask())) {
        log.info(LogSubsystem.NET, "T", "call " + i);
      }
      log.info(LogSubsystem.NET, "T", "constant");
    }
    return ThreadAllocation.bytes() - before;
  }
}
