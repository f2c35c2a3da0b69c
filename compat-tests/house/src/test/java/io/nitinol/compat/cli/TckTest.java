// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code nitinol tck} as a vendor's CI does. */
class TckTest {

  @Test
  void aPluginThatConforms(@TempDir Path work) throws Exception {
    Path json = work.resolve("tck.json");
    Path junit = work.resolve("tck.xml");
    Path html = work.resolve("tck.html");
    try (CommandProcess tck =
        CommandProcess.start(
            "tck",
            "socket",
            "--rule",
            "NET-CONN-09",
            "--seed",
            "77",
            "--json",
            json.toString(),
            "--junit",
            junit.toString(),
            "--html",
            html.toString())) {
      assertThat(tck.exit()).as("%s", tck).isZero();
      assertThat(tck.out())
          .containsPattern("^Socket from .*, quick, seed 77")
          .containsPattern("NET-CONN-09 +ok")
          .contains("Socket conforms to the contract");
      assertThat(tck.err()).isEmpty();
    }
    JsonNode root = JsonMapper.builder().build().readTree(Files.readString(json));
    assertThat(root.toString()).contains("NET-CONN-09");
    assertThat(Files.readString(junit)).contains("<testsuite", "NET-CONN-09");
    assertThat(Files.readString(html)).contains("NET-CONN-09", "<html");
  }

  @Test
  @Slow
  void anOldPluginOnOneOfItsLanes() throws Exception {
    String v4 =
        Stream.of(System.getProperty("nitinol.samples.path").split(":", -1))
            .filter(path -> path.contains("net-v4"))
            .findFirst()
            .orElseThrow();
    try (CommandProcess tck =
        CommandProcess.start("tck", v4, "--rule", "NET-CONN-09", "--lane", "v4-v12")) {
      assertThat(tck.exit()).as("%s", tck).isZero();
      assertThat(tck.out()).contains("SampleV4 conforms to the contract", "on 1 lane,");
    }
    try (CommandProcess tck =
        CommandProcess.start(
            Map.of("NITINOL_PLUGIN_PATH", v4), "tck", "SAMPLEV4", "--lane", "v5")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(2);
      assertThat(tck.err()).contains("--lane v5: the plugin has net v4, net v4->v12");
    }
  }

  @Test
  void aPluginThatBreaksARule(@TempDir Path work) throws Exception {
    Path jar =
        new PluginJar(work.resolve("work"))
            .plugin(PluginClass.net(6, "p.Bad", "Bad"))
            .plugin(
                PluginClass.net(5, "p.Worse", "Bad")
                    .members("public Worse() { throw new IllegalStateException(\"no v5\"); }"))
            .write(work.resolve("bad.jar"));
    try (CommandProcess tck =
        CommandProcess.start("tck", jar.toString(), "--rule", "NET-CONN-09")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .contains("Bad BREAKS the contract")
          .contains("not in this test") // what its listen throws
          .contains("not loaded: p.Worse: ")
          .contains("no v5");
    }
    try (CommandProcess tck = CommandProcess.start("tck", jar.toString(), "--rule", "SEL-01")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .contains("SEL-01 is broken", "cannot be loaded, the first being p.Worse: ");
    }
  }

  @Test
  @Slow
  void whatIsNotThere(@TempDir Path work) throws Exception {
    try (CommandProcess tck = CommandProcess.start("tck", "Sokcet")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(3);
      assertThat(tck.err())
          .contains("no plugin has the name Sokcet; did you mean Socket?")
          .contains("Socket (net [v12 (io.nitinol.net.socket.SocketNet)])");
    }
    Path jar = work.resolve("absent.jar");
    try (CommandProcess tck = CommandProcess.start("tck", jar.toString())) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(3);
      assertThat(tck.err()).contains("no plugin can be loaded from " + jar, "does not exist");
    }
  }

  @Test
  @Slow
  void aPluginWithoutDevicesIsNoPass(@TempDir Path work) throws Exception {
    Path jar =
        new PluginJar(work.resolve("work"))
            .plugin(PluginClass.net(6, "p.Absent", "Absent").devices(0))
            .write(work.resolve("absent.jar"));
    try (CommandProcess tck =
        CommandProcess.start("tck", jar.toString(), "--rule", "NET-CONN-09")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(3);
      assertThat(tck.err()).contains("nothing could be tested: ", "device");
    }
  }

  /**
   * In the kit's other processes the plugin never gets ready, so that there is one to be left. A
   * signal to the process group, as by {@code timeout}, reaches the command and its processes at
   * once: its table is printed by one of two threads, whichever is first.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Slow
  void itsProcessesEndWithIt(boolean group, @TempDir Path work) throws Exception {
    Path jar =
        new PluginJar(work.resolve("work"))
            .plugin(
                PluginClass.net(6, "p.Slow", "Slow")
                    .body("listen", "return new io.nitinol.spi.net.ListenComm() {};")
                    .init(
                        """
                        boolean kit = System.getProperty("sun.java.command", "").contains("cli.Main");
                        while (!kit) java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000);
                        """))
            .write(work.resolve("slow.jar"));
    try (CommandProcess tck =
        CommandProcess.start("tck", jar.toString(), "--rule", "NET-CONN-04")) {
      List<ProcessHandle> children = tck.awaitDescendants(2); // the kit, and one that it started
      if (group) {
        tck.terminateAll();
      } else {
        tck.terminate();
      }
      assertThat(tck.exit()).as("%s", tck).isEqualTo(143);
      assertThat(tck.out()).as("%s", tck).containsOnlyOnce("ended after ");
      tck.awaitEnd(children);
    }
  }

  @Test
  void theListOfRules() throws Exception {
    try (CommandProcess tck = CommandProcess.start("tck", "--list")) {
      assertThat(tck.exit()).as("%s", tck).isZero();
      List<String> rules =
          Files.readAllLines(Path.of(System.getProperty("nitinol.root"), "spi/SPEC.md"));
      long count = rules.stream().filter(line -> line.startsWith("- **")).count();
      assertThat(tck.out())
          .contains("\n" + count + " rules, ")
          .containsPattern("NET-CONN-02 +caller +no: caller")
          .containsPattern("NET-CONN-01 +plugin +yes");
    }
  }
}
