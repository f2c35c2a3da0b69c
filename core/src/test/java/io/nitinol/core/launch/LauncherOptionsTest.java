// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherOptionsTest {
  @TempDir Path directory;

  private List<String> parse(String... words) {
    return LauncherOptions.parse(List.of(words), directory);
  }

  @Test
  void endAtAModule() {
    assertThat(parse("java", "-Xmx1g", "-p", "app", "-m", "m/c.Main", "-Xms1g"))
        .containsExactly("-Xmx1g", "-p", "app");
    assertThat(parse("java", "--module-path=app", "--module=m/c.Main"))
        .containsExactly("--module-path=app");
    assertThat(parse("java", "--add-modules", "m", "--module", "m/c.Main"))
        .containsExactly("--add-modules", "m");
  }

  @Test
  void endAtAClass() {
    assertThat(parse("java", "-cp", "a:b", "-Dx=y", "c.Main", "@none"))
        .containsExactly("-cp", "a:b", "-Dx=y");
    // What looks like a main class is a value.
    assertThat(parse("java", "--enable-native-access", "ALL-UNNAMED", "c.Main"))
        .containsExactly("--enable-native-access", "ALL-UNNAMED");
  }

  @Test
  void aJarBecomesTheClassPath() {
    assertThat(parse("java", "-Xmx1g", "-jar", "/x/a.jar", "-jar"))
        .containsExactly("-Xmx1g", "--class-path", "/x/a.jar");
  }

  @Test
  void leaveOutADebugger() {
    assertThat(parse("java", "-agentlib:jdwp=transport=dt_socket,server=y", "-ea", "c.Main"))
        .containsExactly("-ea");
  }

  @Test
  void readArgumentFiles() throws IOException {
    Files.writeString(
        directory.resolve("args"),
        """
        # where the classes are
        -Xmx1g  '--class-path'
        "with blank:C:\\\\x \\
             y" -Da="b 'c'"#no
        """);
    assertThat(parse("java", "@args", "--disable-@files", "c.Main"))
        .containsExactly(
            "-Xmx1g", "--class-path", "with blank:C:\\x y", "-Da=b 'c'", "--disable-@files");
    Files.writeString(directory.resolve("all"), "-ea c.Main an argument");
    assertThat(parse("java", "@all", "@none")).containsExactly("-ea");
    assertThat(parse("java", "--add-modules", "@@m", "c.Main"))
        .containsExactly("--add-modules", "@m");
  }

  @Test
  void areUnknownWhereThereIsNoMainClassOrNoFile() {
    assertThat(parse("java", "-Xmx1g")).isNull();
    assertThat(parse()).isNull();
    assertThat(parse("java", "@gone", "c.Main")).isNull();
  }

  @Test
  void areFoundByTheirNames() {
    assertThat(LauncherOptions.has(List.of("-p", "x"), LauncherOptions.MODULE_PATH)).isTrue();
    assertThat(LauncherOptions.has(List.of("--class-path=x"), LauncherOptions.CLASS_PATH)).isTrue();
    assertThat(LauncherOptions.has(List.of("--module-path=x"), LauncherOptions.CLASS_PATH))
        .isFalse();
  }
}
