// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that have a browser's name and are none are told from one. */
class BrowserTest {
  @TempDir private Path directory;

  private String script(String name, String text) throws Exception {
    Path script = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script.toString();
  }

  /** As the script that a distribution has in place of its package. */
  @Test
  void aScriptThatOnlySaysHowToInstallOneIsNoBrowser() throws Exception {
    String silent = script("silent", "exit 1\n");
    String stub = script("stub", "echo This needs a package >&2\necho of another kind\nexit 1\n");
    String absent = directory.resolve("absent").toString();
    List<String> told = new ArrayList<>();
    assertThat(Browser.start(List.of(absent, silent, stub), directory, told::add)).isNull();
    assertThat(told)
        .containsExactly(
            absent + " cannot be started",
            silent + " has ended, and said: ",
            stub + " has ended, and said: This needs a package of another kind");
  }

  /** A process that it leaves behind keeps its output open. */
  @Test
  void oneThatEndsAndLeavesAnotherBehindIsNoBrowser() throws Exception {
    String stub = script("stub", "sleep 20 &\necho gone\nexit 1\n");
    List<String> told = new ArrayList<>();
    assertThat(Browser.start(List.of(stub), directory, told::add)).isNull();
    assertThat(told).containsExactly(stub + " has ended, and said: gone");
  }
}
