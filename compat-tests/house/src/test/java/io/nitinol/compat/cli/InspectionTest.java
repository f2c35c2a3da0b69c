// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class InspectionTest {

  @Test
  void pluginsTellsWhatWouldBeChosen() throws Exception {
    try (CommandProcess plugins = CommandProcess.start("plugins")) {
      assertThat(plugins.exit()).as("%s", plugins).isZero();
      assertThat(plugins.out())
          .containsPattern("net +Socket +v12 +v12 +chosen +lo")
          .containsPattern("\n    lo: [0-9.]+ [GM]bit/s, host memory, .* messages up to ")
          .containsPattern("\nmodule io.nitinol.net.socket +/")
          .contains("Chosen: net Socket");
    }
    try (CommandProcess plugins =
        CommandProcess.start(Map.of("NCCL_NET", "Nope"), "plugins", "--json")) {
      assertThat(plugins.exit()).as("%s", plugins).isEqualTo(3);
      JsonNode root = JsonMapper.builder().build().readTree(plugins.out());
      assertThat(root.path("failure").asString()).contains("NCCL_NET=Nope");
      assertThat(root.path("plugins").get(0).path("name").asString()).isEqualTo("IB");
      JsonNode socket = root.path("plugins").get(1);
      assertThat(socket.path("name").asString()).isEqualTo("Socket");
      assertThat(socket.path("state").asString()).isEqualTo("not chosen");
      assertThat(socket.path("reason").asString()).contains("NCCL_NET=Nope");
      assertThat(socket.path("devices").get(0).path("name").asString()).isEqualTo("lo");
    }
  }

  @Test
  @Slow
  void envTellsValuesAndWhatNothingReads() throws Exception {
    Map<String, String> variables =
        Map.of(
            "NCCL_NET",
            "socket",
            "NCCL_BUFFSIZE",
            "lots",
            "NCCL_SOKCET_IFNAME",
            "eth0",
            "NCCL_SOCKET_NTHREADS",
            "999");
    try (CommandProcess env = CommandProcess.start(variables, "env")) {
      assertThat(env.exit()).as("%s", env).isZero();
      assertThat(env.out())
          .contains("NCCL_NET=socket  (from the environment)")
          .containsOnlyOnce("NCCL_BUFFSIZE=lots: expected a number of bytes")
          .contains("# not understood: NCCL_BUFFSIZE=lots: expected a number of bytes")
          .contains("# NCCL_SOCKET_NTHREADS=999 is too much, using 16")
          .contains(
              "# NCCL_SOKCET_IFNAME=eth0 is not read by anything; did you mean NCCL_SOCKET_IFNAME");
    }
    Map<String, String> narrow = new HashMap<>(variables);
    narrow.put("COLUMNS", "60");
    try (CommandProcess env = CommandProcess.start(narrow, "env", "--set", "nccl_socket")) {
      assertThat(env.exit()).as("%s", env).isZero();
      assertThat(env.out().lines())
          .contains("NCCL_SOCKET_NTHREADS=999  (from the environment)")
          .noneMatch(line -> line.contains("NCCL_BUFFSIZE") || line.contains("NCCL_SOKCET"))
          .allMatch(line -> line.length() <= 60);
    }
    try (CommandProcess env = CommandProcess.start("env", "NCCL_SOCKET_IFNAMES")) {
      assertThat(env.exit()).as("%s", env).isEqualTo(2);
      assertThat(env.err())
          .contains("no variable's name contains NCCL_SOCKET_IFNAMES; did you mean");
    }
    try (CommandProcess env = CommandProcess.start(variables, "env", "--json")) {
      assertThat(env.exit()).as("%s", env).isZero();
      JsonNode root = JsonMapper.builder().build().readTree(env.out());
      assertThat(root.path("variables").size()).isGreaterThan(20);
      assertThat(root.path("not_read").get(0).path("name").asString())
          .isEqualTo("NCCL_SOKCET_IFNAME");
      assertThat(root.path("problems").toString())
          .contains("NCCL_BUFFSIZE=lots", "NCCL_SOCKET_NTHREADS=999 is too much");
    }
    try (CommandProcess env = CommandProcess.start(variables, "env", "--markdown")) {
      assertThat(env.exit()).as("%s", env).isZero();
      assertThat(env.out()).contains("| `NCCL_NET` |");
    }
  }

  /** A plugin in a layer of its own has variables, too. */
  @Test
  void envKnowsTheVariablesOfPluginsInJars(@TempDir Path work) throws Exception {
    Path jar =
        new PluginJar(work.resolve("work"))
            .module("net.card")
            .plugin(PluginClass.net(6, "p.Card", "Card"))
            .provider("io.nitinol.spi.config.VariableCatalog", "p.Table")
            .source(
                "p.Table",
                """
                package p;
                import io.nitinol.spi.config.*;
                public class Table implements VariableCatalog {
                  public String owner() { return "card"; }
                  public java.util.List<Variable<?>> variables() {
                    return java.util.List.of(Variable.text("NCCL_CARD", "a card", "", "Which."));
                  }
                }
                """)
            .write(work.resolve("plugins/card.jar"));
    Map<String, String> variables =
        Map.of("NITINOL_PLUGIN_PATH", jar.getParent().toString(), "NCCL_CARD", "two");
    try (CommandProcess env = CommandProcess.start(variables, "env")) {
      assertThat(env.exit()).as("%s", env).isZero();
      assertThat(env.out())
          .contains("# card from " + jar, "NCCL_CARD=two  (from the environment)")
          .doesNotContain("not read by anything");
    }
  }

  @Test
  void doctorFindsItsWay() throws Exception {
    try (CommandProcess doctor = CommandProcess.start("doctor")) {
      assertThat(doctor.exit()).as("%s", doctor).isZero();
      assertThat(doctor.out())
          .contains("java ", "cores ", "open files ", "libibverbs.so.1", "interfaces")
          .contains("lo 127.0.0.1 (chosen by NCCL_SOCKET_IFNAME=lo)")
          .containsPattern("(?m)^java +ok +Java 25")
          .containsPattern("(?m)^networks +ok +.*Socket \\(chosen\\)")
          .containsPattern("(?m)^kernels +note +.*scalar \\(")
          .containsPattern("(?m)^no problem, ");
      assertThat(doctor.out()).doesNotContainPattern("(?m)^networks +.*scalar");
    }
  }

  /** Of this machine only what every machine has is known here; the checks have tests of files. */
  @Test
  void doctorReadsThisMachine() throws Exception {
    try (CommandProcess doctor = CommandProcess.start("doctor", "--json")) {
      assertThat(doctor.exit()).as("%s", doctor).isZero();
      JsonNode root = JsonMapper.builder().build().readTree(doctor.out());
      assertThat(root.path("format").asInt()).isEqualTo(1);
      assertThat(root.path("problems").asInt()).as("%s", doctor).isZero();
      assertThat(root.path("failure").isNull()).isTrue();
      Map<String, JsonNode> findings = new HashMap<>();
      root.path("findings").forEach(each -> findings.put(each.path("name").asString(), each));
      assertThat(findings)
          .containsKeys(
              "java",
              "native access",
              "vector module",
              "clock source",
              "container",
              "processor quota",
              "shared memory",
              "huge pages",
              "open files",
              "locked memory",
              "interfaces",
              "MTU of lo",
              "TCP receive buffer",
              "TCP send buffer",
              "congestion control",
              "RDMA verbs",
              "RDMA devices",
              "libfabric",
              "NVIDIA GPUs",
              "CUDA driver",
              "launchers",
              "rank",
              "networks");
      for (String name : List.of("java", "interfaces", "MTU of lo", "networks")) {
        assertThat(findings.get(name).path("state").asString()).as("%s", doctor).isEqualTo("ok");
      }
      // The JVM of these tests gives native access to fewer modules than ./nitinol does.
      JsonNode closed = findings.get("native access");
      assertThat(closed.path("state").asString()).isEqualTo("warning");
      assertThat(closed.path("mend").asString())
          .isEqualTo("java --enable-native-access=io.nitinol.net.ib ...");
      for (JsonNode each : findings.values()) {
        String state = each.path("state").asString();
        assertThat(state).isIn("ok", "note", "warning", "unknown");
        if (state.equals("warning")) {
          assertThat(each.path("why").asString()).as("%s", each).isNotEmpty();
        } else {
          assertThat(each.path("mend").isNull()).as("%s", each).isTrue();
        }
      }
    }
  }

  /** A problem has a status of its own, and the rest is told all the same. */
  @Test
  @Slow
  void doctorFailsForAProblem() throws Exception {
    Map<String, String> variables = Map.of("NITINOL_SHM_DIR", "/no/such/directory");
    try (CommandProcess doctor = CommandProcess.start(variables, "doctor")) {
      assertThat(doctor.exit()).as("%s", doctor).isEqualTo(3);
      assertThat(doctor.out())
          .containsPattern("(?m)^shared memory +problem +/no/such/directory: no such directory")
          .contains("    to mend it: unset NITINOL_SHM_DIR")
          .containsPattern("(?m)^networks +ok ")
          .containsPattern("(?m)^1 problem, ");
    }
    try (CommandProcess doctor = CommandProcess.start(Map.of("NCCL_NET", "Nope"), "doctor")) {
      assertThat(doctor.exit()).as("%s", doctor).isEqualTo(3);
      assertThat(doctor.out()).containsPattern("(?m)^networks +problem ").contains("NCCL_NET=Nope");
    }
  }
}
