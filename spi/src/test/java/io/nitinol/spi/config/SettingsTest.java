// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SET-01 to SET-07. */
class SettingsTest {
  private static final Variable<Integer> X = Variable.integer("NCCL_X", 0, 100, 7, "A count.");
  private static final Variable<String> TEXT = Variable.text("NCCL_T", "text", "none", "A text.");

  @TempDir Path directory;
  private Path home;
  private Path user;
  private Path system;

  @BeforeEach
  void paths() throws IOException {
    home = Files.createDirectory(directory.resolve("home"));
    user = home.resolve(".nccl.conf");
    system = directory.resolve("nccl.conf");
  }

  @Test
  void theEnvironmentCountsOverTheUsersFileOverTheSystems() throws IOException {
    Files.writeString(system, "NCCL_X=1\nNCCL_T=system\nNCCL_ONLY=here\n");
    Files.writeString(user, "NCCL_X=2\nNCCL_T=user\n");
    Settings settings = load(Map.of("NCCL_X", "3"));
    assertThat(settings.get(X)).isEqualTo(3);
    assertThat(settings.source(X)).isEqualTo("the environment");
    assertThat(settings.get(TEXT)).isEqualTo("user");
    assertThat(settings.source(TEXT)).isEqualTo(user + ":2");
    assertThat(settings.raw("NCCL_ONLY")).isEqualTo("here");
    assertThat(settings.names()).containsExactlyInAnyOrder("NCCL_X", "NCCL_T", "NCCL_ONLY");
    assertThat(warnings(settings)).isEmpty();
  }

  @Test
  void withNothingSetTheDefaultCounts() {
    Settings settings = load(Map.of());
    assertThat(settings.get(X)).isEqualTo(7);
    assertThat(settings.isSet(X)).isFalse();
    assertThat(settings.source(X)).isEqualTo("default");
    assertThat(settings.raw("NCCL_X")).isNull();
    assertThat(warnings(settings)).isEmpty();
  }

  @Test
  void aNamedFileStandsInForTheUsers() throws IOException {
    Files.writeString(user, "NCCL_X=2\n");
    Files.writeString(system, "NCCL_T=system\n");
    Path named = Files.writeString(directory.resolve("other.conf"), "NCCL_X=5\n");
    Settings settings = load(Map.of("NCCL_CONF_FILE", named.toString()));
    assertThat(settings.get(X)).isEqualTo(5);
    assertThat(settings.get(TEXT)).isEqualTo("system");
  }

  @Test
  void aNamedFileThatIsMissingIsAWarning() throws IOException {
    Files.writeString(user, "NCCL_X=2\n");
    Path named = directory.resolve("missing.conf");
    Settings settings = load(Map.of("NCCL_CONF_FILE", named.toString()));
    assertThat(settings.get(X)).isEqualTo(7);
    assertThat(warnings(settings))
        .containsExactly("NCCL_CONF_FILE=" + named + ": there is no such file");
  }

  /** A device has no end, and a file of other data no sense. */
  @ParameterizedTest
  @CsvSource({
    "/dev/zero, it has more than 1048576 bytes",
    "/no/such, there is no such file",
    "/dev, Is a directory",
  })
  void aNamedFileThatCannotBeReadIsAMistakeOfItsVariable(String file, String why) {
    Settings settings = load(Map.of("NCCL_CONF_FILE", file));
    Variable<String> variable = Variable.text("NCCL_CONF_FILE", "a file", "", "A file.");
    assertThat(settings.mistake(variable)).isEqualTo("NCCL_CONF_FILE=" + file + ": " + why);
    assertThat(settings.fileMistakes()).isEmpty();
    assertThat(warnings(settings)).containsExactly("NCCL_CONF_FILE=" + file + ": " + why);
  }

  @Test
  void aNamedFileWithoutAnythingIsNoMistake() {
    Settings settings = load(Map.of("NCCL_CONF_FILE", "/dev/null"));
    assertThat(settings.mistake(Variable.text("NCCL_CONF_FILE", "a file", "", "A file."))).isNull();
    assertThat(warnings(settings)).isEmpty();
  }

  @Test
  void aBlankNameOfAFileIsNone() throws IOException {
    Files.writeString(user, "NCCL_X=2\n");
    assertThat(load(Map.of("NCCL_CONF_FILE", " ")).get(X)).isEqualTo(2);
  }

  @Test
  void whatCannotBeReadIsAWarning() throws IOException {
    Files.createDirectory(user);
    Files.writeString(system, "NCCL_T=system\n");
    Settings settings = load(Map.of());
    assertThat(settings.get(TEXT)).isEqualTo("system");
    assertThat(warnings(settings)).hasSize(1).allMatch(w -> w.contains(user.toString()));
  }

  /** A name in a comment, written by an old editor, is the usual case. */
  @Test
  void aByteThatIsNotUtf8CostsItsLineOnly() throws IOException {
    Files.write(
        system,
        "# by Ren\u00e9\nNCCL_X=3\nNCCL_T=caf\u00e9\nNCCL_Y=kept\n"
            .getBytes(StandardCharsets.ISO_8859_1));
    Settings settings = load(Map.of());
    assertThat(settings.get(X)).isEqualTo(3);
    assertThat(settings.get(TEXT)).isEqualTo("none");
    assertThat(settings.raw("NCCL_Y")).isEqualTo("kept");
    assertThat(warnings(settings))
        .singleElement()
        .satisfies(w -> assertThat(w).startsWith(system + ":3: ").contains("UTF-8"));
  }

  @Test
  void linesThatAreNoSettingNameTheirPlace() throws IOException {
    Files.writeString(
        user, "# NCCL_X=1\n\n  # indented\nNCCL_X\n=4\n  =5\n  NCCL_T =  a=b # c  \r\n");
    Settings settings = load(Map.of());
    assertThat(settings.get(X)).isEqualTo(7);
    assertThat(settings.get(TEXT)).isEqualTo("a=b # c");
    assertThat(warnings(settings))
        .containsExactly(
            user + ":4: expected NAME=VALUE, line skipped",
            user + ":5: expected NAME=VALUE, line skipped",
            user + ":6: expected NAME=VALUE, line skipped");
    assertThat(settings.fileMistakes()).hasSize(3);
  }

  @Test
  void aLineThatIsNoSettingIsNotQuotedSinceItMayBeASecret() throws IOException {
    Files.writeString(user, "NITINOL_COMM_SECRET hunter2\n");
    Files.write(system, "NITINOL_COMM_SECRET=h\u00fcnter2\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(load(Map.of()).fileMistakes())
        .hasSize(2)
        .allSatisfy(mistake -> assertThat(mistake).doesNotContain("nter2"));
  }

  @Test
  void aPipeIsNotWaitedFor() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", user.toString()).start().waitFor()).isZero();
    assertThat(load(Map.of()).fileMistakes())
        .singleElement()
        .satisfies(mistake -> assertThat(mistake).contains("it is a pipe"));
  }

  @Test
  void theFirstLineAboutANameCounts() throws IOException {
    Files.writeString(user, "NCCL_X=1\nNCCL_X=2\n");
    assertThat(load(Map.of()).get(X)).isEqualTo(1);
  }

  @Test
  void blankMeansNotSetAndHidesFiles() throws IOException {
    Files.writeString(user, "NCCL_X=1\n");
    for (String blank : List.of("", " ", "\t ")) {
      Settings settings = load(Map.of("NCCL_X", blank));
      assertThat(settings.get(X)).isEqualTo(7);
      assertThat(settings.isSet(X)).isFalse();
      assertThat(settings.source(X)).isEqualTo("default");
      assertThat(warnings(settings)).isEmpty();
    }
  }

  @Test
  void otherNamesOfTheEnvironmentAreNotRead() {
    Settings settings =
        load(Map.of("PATH", "/bin", "NITINOL_A", "1", "XNCCL_B", "2", "nccl_c", "3"));
    assertThat(settings.names()).containsExactly("NITINOL_A");
  }

  @Test
  void aBadValueWarnsOnceAndLeavesTheDefault() throws IOException {
    Files.writeString(user, "\nNCCL_X=many\n");
    Settings settings = load(Map.of());
    assertThat(settings.get(X)).isEqualTo(7);
    assertThat(settings.get(X)).isEqualTo(7);
    assertThat(settings.isSet(X)).isTrue();
    assertThat(warnings(settings))
        .containsExactly(
            "NCCL_X=many: expected a whole number from 0 to 100 (from "
                + user
                + ":2); using the default, 7");
    assertThat(warnings(settings)).as("handed over once").isEmpty();
  }

  @Test
  void laterWarningsGoStraightToTheSinkWhichMayReadSettings() {
    Settings settings = Settings.of(Map.of("NCCL_X", "many", "NCCL_Y", "more"));
    Variable<Boolean> y = Variable.flag("NCCL_Y", true, "A switch.");
    List<String> seen = new ArrayList<>();
    settings.warnTo(w -> {
      seen.add(w);
      settings.get(y);
    });
    assertThat(settings.get(X)).isEqualTo(7);
    assertThat(seen)
        .containsExactly(
            "NCCL_X=many: expected a whole number from 0 to 100 (from the application);"
                + " using the default, 7",
            "NCCL_Y=more: expected 0 for off, 1 or any other whole number for on (from the application);"
                + " using the default, 1");
  }

  @Test
  void settingsOfTheProcessAreReadOnce() {
    assertThat(Settings.process()).isSameAs(Settings.process());
  }

  private Settings load(Map<String, String> environment) {
    return Settings.load(environment, home.toString(), system);
  }

  private static List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>();
    settings.warnTo(warnings::add);
    return warnings;
  }
}
