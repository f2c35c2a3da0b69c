// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a variable asks for by name and cannot be had is an error or a line on standard error,
 * without NCCL_DEBUG: the policy at the beginning of {@code docs/environment.md}.
 */
class ExplicitRequestsTest {
  private static final String[] PERF = {
    "perf", "all_reduce", "-n", "1", "--threads", "-b", "8", "-e", "8", "-w", "0", "--iters", "1"
  };

  @TempDir Path work;

  private static Map<String, String> variables(String assignments) {
    return Arrays.stream(assignments.strip().split(" +"))
        .map(each -> each.split("=", 2))
        .collect(Collectors.toMap(each -> each[0], each -> each[1]));
  }

  private String resolved(String text) throws IOException {
    Files.writeString(work.resolve("lines.conf"), "NCCL_MIN_NCHANNELS=1\nNCCL_NET Socket\n");
    Files.writeString(work.resolve("corrupt.jar"), "no jar");
    Files.createFile(work.resolve("empty"));
    return text.replace("WORK", work.toString());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "NITINOL_PLUGIN_PATH=/no/such | 0 | the entry /no/such of NITINOL_PLUGIN_PATH (set in the environment) does not exist",
        "NITINOL_PLUGIN_PATH=/etc/passwd | 0 | plugin /etc/passwd is left out: neither a jar nor a directory",
        "NITINOL_PLUGIN_PATH=WORK/corrupt.jar | 0 | is left out: corrupt.jar is not a readable jar: zip",
        "NCCL_NET_PLUGIN=nosuch | 0 | the entry nosuch of NCCL_NET_PLUGIN (set in the environment): names no plugin",
        "NCCL_PROFILER_PLUGIN=nosuch | 0 | NCCL_PROFILER_PLUGIN=nosuch (set in the environment) names no profiler that was found",
        "NCCL_TUNER_PLUGIN=nosuch | refused | NCCL_TUNER_PLUGIN=nosuch (set in the environment) is the name of no tuner",
        "NITINOL_KERNELS=nosuch | refused | NITINOL_KERNELS=nosuch (set in the environment) is the name of no kernels",
        "NCCL_NET=nosuch | refused | NCCL_NET=nosuch (set in the environment) is the name of no candidate",
        "NCCL_NSOCKS_PERTHREAD=100 | 0 | NCCL_NSOCKS_PERTHREAD=100 ",
        "NCCL_NSOCKS_PERTHREAD=100 NCCL_SOCKET_NTHREADS=2 | 0 | NCCL_NSOCKS_PERTHREAD=100 is too much: fewer are used, since a connection has at most 64",
        "NCCL_SOCKET_NTHREADS=999 | 0 | NCCL_SOCKET_NTHREADS=999 is too much, using 16",
        "NCCL_PROTO=LL128 | 0 | NCCL_PROTO=LL128: there is no LL128 without a GPU; expected names of ll, simple in any case; using the default",
        "NCCL_ALGO=NVLS | 0 | NCCL_ALGO=NVLS: there is no NVLS without a GPU",
        "NCCL_ALGO=nosuch | 0 | NCCL_ALGO=nosuch: \"nosuch\" is not known; expected names of tree, ring",
        "NCCL_DEBUG_SUBSYS=NOSUCH | 0 | NCCL_DEBUG_SUBSYS: there is no subsystem \"NOSUCH\"",
        "NITINOL_SOCKET_CONGESTION=nosuch | 0 | NITINOL_SOCKET_CONGESTION=nosuch: the kernel has ",
        "NITINOL_COLLNET=nosuch NCCL_COLLNET_ENABLE=1 | refused | NITINOL_COLLNET=nosuch (set in the environment) names no CollNet plugin",
        "NITINOL_COLLNET=nosuch | 0 | NITINOL_COLLNET=nosuch (set in the environment) names no CollNet plugin",
        "NITINOL_COLLNET_SECRET=/no/such NITINOL_COLLNET=Switch NCCL_COLLNET_ENABLE=1 | 0 | CollNet Switch is not used: init failed: INVALID_USAGE: the secret of the switch",
        "NITINOL_COLLNET_SECRET=WORK/empty | 0 | WORK/empty: it is empty",
        "NITINOL_COLLNET_SWITCH=nowhere | 0 | NITINOL_COLLNET_SWITCH=nowhere: 'nowhere'",
        "NCCL_CONF_FILE=/no/such | 2 | nitinol perf: NCCL_CONF_FILE=/no/such: there is no such file",
        "NCCL_CONF_FILE=/etc | 2 | nitinol perf: NCCL_CONF_FILE=/etc: Is a directory",
        "NCCL_CONF_FILE=/dev/zero | 2 | nitinol perf: NCCL_CONF_FILE=/dev/zero: it has more than 1048576 bytes",
        "NCCL_CONF_FILE=WORK/lines.conf | 0 | WORK/lines.conf:2: expected NAME=VALUE, line skipped",
      })
  @QuickRows({4, 6, 7, 8, 11, 14, 17, 19, 22, 24})
  @FirstRows(4)
  void isRefusedOrToldUnasked(String assignments, String status, String sentence) throws Exception {
    Map<String, String> variables = variables(resolved(assignments));
    try (CommandProcess perf = CommandProcess.start(variables, PERF)) {
      // By a rank or before there are any: 3 or 4.
      String ended = perf.exit() > 2 ? "refused" : Integer.toString(perf.exit());
      assertThat(ended).as("%s", perf).isEqualTo(status);
      assertThat(perf.err())
          .contains(sentence.strip().replace("WORK", work.toString()))
          .doesNotContain("\tat ", "please report it");
    }
  }

  /** Those of the requests above that a run survives and that do not exclude each other. */
  @Test
  void manyAreToldAtOnce() throws Exception {
    String requests =
        "NITINOL_PLUGIN_PATH=/no/such:/etc/passwd:WORK/corrupt.jar"
            + " NCCL_PROFILER_PLUGIN=nosuch NCCL_NSOCKS_PERTHREAD=100 NCCL_SOCKET_NTHREADS=2"
            + " NCCL_PROTO=LL128 NCCL_ALGO=NVLS NCCL_DEBUG_SUBSYS=NOSUCH"
            + " NITINOL_SOCKET_CONGESTION=nosuch NITINOL_COLLNET=nosuch"
            + " NITINOL_COLLNET_SECRET=WORK/empty NITINOL_COLLNET_SWITCH=nowhere"
            + " NCCL_CONF_FILE=WORK/lines.conf";
    Map<String, String> variables = variables(resolved(requests));
    try (CommandProcess perf = CommandProcess.start(variables, PERF)) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.err())
          .contains(
              "the entry /no/such of NITINOL_PLUGIN_PATH (set in the environment) does not exist",
              "plugin /etc/passwd is left out: neither a jar nor a directory",
              "is left out: corrupt.jar is not a readable jar: zip",
              "NCCL_PROFILER_PLUGIN=nosuch (set in the environment) names no profiler that was found",
              "NCCL_NSOCKS_PERTHREAD=100 is too much: fewer are used, since a connection has at most",
              "NCCL_PROTO=LL128: there is no LL128 without a GPU; expected names of ll, simple",
              "NCCL_ALGO=NVLS: there is no NVLS without a GPU",
              "NCCL_DEBUG_SUBSYS: there is no subsystem \"NOSUCH\"",
              "NITINOL_SOCKET_CONGESTION=nosuch: the kernel has ",
              "NITINOL_COLLNET=nosuch (set in the environment) names no CollNet plugin",
              work.resolve("empty") + ": it is empty",
              "NITINOL_COLLNET_SWITCH=nowhere: 'nowhere'",
              work.resolve("lines.conf") + ":2: expected NAME=VALUE, line skipped")
          .doesNotContain("\tat ", "please report it");
    }
  }

  /** Costs are measured where there are two ranks or more. */
  @Test
  @Slow
  void aCostCacheThatCannotBeWrittenIsToldUnasked() throws Exception {
    Map<String, String> variables = variables("NITINOL_COST_CACHE=/proc/nosuch/costs");
    String[] words = "perf all_reduce -n 2 -b 8 -e 8 --iters 1 -w 0".split(" ", -1);
    try (CommandProcess perf = CommandProcess.start(variables, words)) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.err())
          .containsOnlyOnce("/proc/nosuch/costs (NITINOL_COST_CACHE) cannot be written");
    }
  }

  @Test
  void nothingIsSaidOfWhatCanBeHad() throws Exception {
    String good =
        "NCCL_CONF_FILE=/dev/null NCCL_NET=socket NCCL_PROTO=simple NCCL_SOCKET_NTHREADS=2"
            + " NCCL_NSOCKS_PERTHREAD=4 NCCL_DEBUG_SUBSYS=^NET NITINOL_SOCKET_CONGESTION=reno";
    try (CommandProcess perf = CommandProcess.start(variables(good), PERF)) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.err()).isEmpty();
    }
  }

  @Test
  void runTellsItToo() throws Exception {
    Map<String, String> variables = Map.of("NCCL_SOCKET_NTHREADS", "999");
    try (CommandProcess run = CommandProcess.start(variables, "run", "-n", "2", "--", "true")) {
      assertThat(run.exit()).as("%s", run).isZero();
      assertThat(run.err())
          .isEqualTo("nitinol run: NCCL_SOCKET_NTHREADS=999 is too much, using 16\n");
    }
    variables = Map.of("NCCL_CONF_FILE", "/no/such");
    try (CommandProcess run = CommandProcess.start(variables, "run", "-n", "2", "--", "true")) {
      assertThat(run.exit()).as("%s", run).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dead", "another secret", "no secret"})
  @QuickRows({1, 2})
  @FirstRows(1)
  void aSwitchThatCannotBeUsedIsToldByTheFirstRankOfEachHost(String mistake) throws Exception {
    Path secret = Files.writeString(work.resolve("secret"), "of the switch");
    Path another = Files.writeString(work.resolve("another"), "of somebody else");
    String listen = "127.0.0.1:" + FreePort.find();
    try (CommandProcess node =
        CommandProcess.start("switch", "--listen", listen, "--secret", secret.toString())) {
      node.awaitLine("listening at");
      if (mistake.equals("dead")) {
        node.kill();
        node.exit();
      }
      Map<String, String> variables = new HashMap<>();
      variables.put("NCCL_COMM_ID", "127.0.0.1:" + FreePort.find());
      variables.put("NCCL_COLLNET_ENABLE", "1");
      variables.put("NITINOL_COLLNET", "Switch");
      variables.put("NITINOL_COLLNET_SWITCH", listen);
      if (!mistake.equals("no secret")) {
        variables.put("NITINOL_COLLNET_SECRET", another.toString());
      }
      try (CommandProcess first = rank(0, variables);
          CommandProcess second = rank(1, variables)) {
        for (CommandProcess each : new CommandProcess[] {first, second}) {
          assertThat(each.exit()).as("%s", each).isZero();
          assertThat(each.err())
              .contains("CollNet Switch is not used by this communicator: rank 0: ")
              .contains(mistake.equals("dead") ? "Connection refused" : "another secret");
        }
      }
    }
  }

  private static CommandProcess rank(int rank, Map<String, String> variables) throws IOException {
    Map<String, String> own = new HashMap<>(variables);
    own.put("NITINOL_RANK", Integer.toString(rank));
    own.put("NITINOL_SIZE", "2");
    own.put("NITINOL_LOCAL_RANK", "0");
    own.put("NCCL_HOSTID", "host" + rank);
    return CommandProcess.start(
        own, "perf", "all_reduce", "-b", "8", "-e", "8", "-w", "0", "--iters", "1");
  }

  /** Nothing ends the wait: a card may need so long. */
  @Test
  @Slow
  void aConstructorThatSleepsIsNamed() throws Exception {
    Path end = work.resolve("end");
    Path jar =
        new PluginJar(work.resolve("work"))
            .plugin(
                PluginClass.net(6, "p.Sleeper", "Sleeper")
                    .members(
                        "public Sleeper() throws InterruptedException {"
                            + " while (!new java.io.File(\"%s\").exists()) { Thread.sleep(5); } }"
                                .formatted(end)))
            .write(work.resolve("plugins/sleeper.jar"));
    Map<String, String> variables = Map.of("NITINOL_PLUGIN_PATH", jar.toString());
    try (CommandProcess plugins = CommandProcess.start(variables, "plugins")) {
      plugins.awaitErrorLine("still waiting for ");
      Files.createFile(end);
      assertThat(plugins.exit()).as("%s", plugins).isZero();
      assertThat(plugins.out()).contains("Sleeper");
      assertThat(plugins.err().lines())
          .singleElement()
          .asString()
          .contains("still waiting for the constructor or name() of p.Sleeper from ", "" + jar);
    }
  }
}
