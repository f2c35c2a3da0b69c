// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.doctor.DoctorFinding.State;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginOrigin;
import io.nitinol.core.plugin.SelectionPreview;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorReportTest {
  private static final DoctorFinding OK = DoctorFinding.ok("java", "25");
  private static final DoctorFinding WARNING =
      DoctorFinding.warning("clock source", "hpet", "It is slow.", "echo tsc");
  private static final DoctorFinding PROBLEM =
      DoctorFinding.problem("networks", "none", "No job can start.", null);
  private static final DoctorFinding UNKNOWN = DoctorFinding.unknown("memory", "no such file");

  @Test
  void saysWhyAndWhatMends() {
    assertThat(new DoctorReport(List.of(OK, WARNING, UNKNOWN), null).text())
        .containsExactly(
            "WHAT          STATE    HERE",
            "java          ok       25",
            "clock source  warning  hpet",
            "    It is slow.",
            "    to mend it: echo tsc",
            "memory        unknown",
            "    no such file",
            "",
            "no problem, 1 warning, 1 unknown");
    assertThat(new DoctorReport(List.of(PROBLEM), "no network works").text())
        .endsWith("", "1 problem, no warning", "", "no network works");
  }

  @Test
  void breaksLongSentencesButNoCommand() {
    String words = "many words ".repeat(20).strip();
    DoctorFinding finding = DoctorFinding.warning("x", "y", words, words);
    List<String> lines = new DoctorReport(List.of(finding), null).text();
    assertThat(lines).contains("    to mend it: " + words);
    List<String> why = lines.stream().filter(line -> line.matches("    (many|words) .*")).toList();
    assertThat(why).hasSize(3).allMatch(line -> line.length() <= 96);
    assertThat(String.join(" ", why).replaceAll(" +", " ").strip()).isEqualTo(words);
  }

  @Test
  void onlyAProblemFails() {
    assertThat(new DoctorReport(List.of(OK, WARNING, UNKNOWN), null).exitStatus())
        .isEqualTo(ExitStatus.OK);
    assertThat(new DoctorReport(List.of(OK, PROBLEM), null).exitStatus())
        .isEqualTo(ExitStatus.TRANSPORT);
  }

  @Test
  void jsonHasTheSame() {
    JsonNode root =
        JsonMapper.builder()
            .build()
            .readTree(new DoctorReport(List.of(OK, WARNING, PROBLEM), "no network works").json());
    assertThat(root.path("format").asInt()).isEqualTo(1);
    assertThat(root.path("findings").size()).isEqualTo(3);
    JsonNode ok = root.path("findings").get(0);
    assertThat(ok.path("state").asString()).isEqualTo("ok");
    assertThat(ok.path("why").isNull()).isTrue();
    assertThat(ok.path("mend").isNull()).isTrue();
    JsonNode warning = root.path("findings").get(1);
    assertThat(warning.path("name").asString()).isEqualTo("clock source");
    assertThat(warning.path("state").asString()).isEqualTo("warning");
    assertThat(warning.path("seen").asString()).isEqualTo("hpet");
    assertThat(warning.path("why").asString()).isEqualTo("It is slow.");
    assertThat(warning.path("mend").asString()).isEqualTo("echo tsc");
    assertThat(root.path("problems").asInt()).isEqualTo(1);
    assertThat(root.path("warnings").asInt()).isEqualTo(1);
    assertThat(root.path("unknown").asInt()).isZero();
    assertThat(root.path("failure").asString()).isEqualTo("no network works");
  }

  @Test
  void withoutANetworkThereIsAProblem() {
    assertThat(PluginChecks.look(new SelectionPreview(List.of(), "no network works")).getFirst())
        .extracting(DoctorFinding::state)
        .isEqualTo(State.PROBLEM);
    assertThat(PluginChecks.look(new SelectionPreview(List.of(), null)))
        .extracting(DoctorFinding::state)
        .doesNotContain(State.PROBLEM, State.WARNING);
  }

  @Test
  void pluginsThatCannotBeAskedLeaveTheNetworkUnknown() {
    DoctorReport report =
        PluginChecks.report(
            List.of(OK),
            () -> {
              throw new IllegalStateException("a jar is broken");
            });
    String why = "The plugins could not be asked: java.lang.IllegalStateException: a jar is broken";
    assertThat(report.findings()).containsExactly(OK, DoctorFinding.unknown("networks", why));
    assertThat(report.failure()).isEqualTo(why);
    assertThat(
            PluginChecks.report(List.of(OK), () -> new SelectionPreview(List.of(), "none works")))
        .satisfies(asked -> assertThat(asked.failure()).isEqualTo("none works"))
        .satisfies(asked -> assertThat(asked.findings()).hasSize(7).startsWith(OK));
  }

  @Test
  void judgesJava() {
    assertThat(JavaChecks.nativeAccess(List.of()).state()).isEqualTo(State.OK);
    DoctorFinding closed = JavaChecks.nativeAccess(List.of("a.b", "c.d"));
    assertThat(closed.state()).isEqualTo(State.WARNING);
    assertThat(closed.mend()).contains("--enable-native-access=a.b,c.d");
    assertThat(JavaChecks.vector(true, true).state()).isEqualTo(State.OK);
    assertThat(JavaChecks.vector(false, true).mend()).contains("--add-modules=");
    assertThat(JavaChecks.vector(false, false).mend()).isNull();
  }

  @Test
  void aCheckOfJavaThatFailsLeavesTheOthers() {
    assertThat(
            JavaChecks.look(() -> {
              throw new IllegalStateException("no modules");
            }))
        .extracting(DoctorFinding::name, DoctorFinding::state)
        .contains(tuple("java", State.OK), tuple("native access", State.UNKNOWN))
        .hasSize(4);
  }

  /** A description without a state stands for whatever is wrong with a plugin. */
  @Test
  void aCheckOfPluginsThatFailsLeavesTheOthers() {
    PluginDescription odd =
        new PluginDescription(
            PluginKind.TUNER,
            "odd",
            List.of(),
            0,
            List.of(),
            null,
            new PluginOrigin(true, null, "here"),
            null,
            null,
            List.of());
    assertThat(PluginChecks.look(new SelectionPreview(List.of(odd), null)))
        .extracting(DoctorFinding::name, DoctorFinding::state)
        .contains(tuple("tuners", State.UNKNOWN), tuple("networks", State.OK))
        .hasSize(6);
  }

  @Test
  void anEntryOfPluginsThatIsNotThereIsAWarning(@TempDir Path work) throws IOException {
    assertThat(SetupChecks.entry(work.resolve("absent").toString()).state())
        .isEqualTo(State.WARNING);
    assertThat(SetupChecks.entry(work.toString()))
        .as("it may have classes")
        .isEqualTo(DoctorFinding.ok("plugin path", work + ": a directory"));
    Path jar = Files.createFile(work.resolve("a.jar"));
    assertThat(SetupChecks.entry(work.toString()).seen()).isEqualTo(work + ": 1 jar");
    assertThat(SetupChecks.entry(jar.toString()))
        .isEqualTo(DoctorFinding.ok("plugin path", jar + ": a file"));
    WrittenHost written = new WrittenHost(work).setting("NITINOL_PLUGIN_PATH", " " + jar + " : ");
    assertThat(SetupChecks.look(written.host()).getLast().seen()).isEqualTo(jar + ": a file");
  }

  @Test
  void aPathIsOneWordOfTheCommandThatMends() {
    assertThat(SetupChecks.ownAgain("/home/o'neil/.nccl.conf"))
        .startsWith("chmod u+r '/home/o'\\''neil/.nccl.conf' #")
        .endsWith("sudo chown \"$USER\" '/home/o'\\''neil/.nccl.conf'");
    assertThat(RdmaChecks.permission("/dev/a b", "root", Set.of()))
        .isEqualTo("sudo chmod 666 '/dev/a b'");
  }

  @Test
  void theNamedFileCountsInsteadOfTheHomeDirectorys(@TempDir Path work) throws IOException {
    Path file = Files.createFile(work.resolve("my.conf"));
    WrittenHost written = new WrittenHost(work).variable("NCCL_CONF_FILE", file.toString());
    assertThat(SetupChecks.ofUser(written.host()))
        .isEqualTo(DoctorFinding.ok("NCCL_CONF_FILE", file + ": read"));
    Map<String, String> absent = Map.of("NCCL_CONF_FILE", work.resolve("absent").toString());
    ExaminedHost host =
        new ExaminedHost(
            written.files(),
            absent,
            Settings.load(absent, null, work.resolve("none")),
            (library, function) -> false,
            List::of,
            place -> true);
    DoctorFinding found = SetupChecks.ofUser(host);
    assertThat(found.state()).isEqualTo(State.PROBLEM);
    assertThat(found.seen()).contains("there is no such file");
    assertThat(found.mend()).isEqualTo("unset NCCL_CONF_FILE");
    String none = work.resolve("absent").toString();
    assertThat(SetupChecks.file("x", none, null)).isEqualTo(DoctorFinding.note("x", "absent"));
  }

  @Test
  void aCheckThatFailsIsUnknownAndLosesNoOther() {
    assertThat(
            DoctorCheck.run(
                "x",
                () -> {
                  throw new IllegalStateException("no idea");
                }))
        .containsExactly(
            DoctorFinding.unknown(
                "x", "The check itself failed: java.lang.IllegalStateException: no idea"));
    assertThat(
            DoctorCheck.run(
                "x",
                () -> {
                  throw new UnsatisfiedLinkError("no symbol");
                }))
        .extracting(DoctorFinding::state)
        .containsExactly(State.UNKNOWN);
  }
}
