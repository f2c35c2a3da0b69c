// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plugin that ends the process with 0 makes no command succeed. */
class FalseGreenTest {
  private static final String SMALL = " -b 8 -e 8 --iters 1 -w 0";
  private static final String EXIT = "System.exit(0);";
  private static final String HALT = "Runtime.getRuntime().halt(0);";

  @TempDir private Path work;

  @ParameterizedTest
  @CsvSource({
    "-n 2, made, System.exit(0);, by a call of exit in .*p.Quits.<init>",
    "-n 2, made, Runtime.getRuntime().halt(0);, as by a call of exit",
    "-n 2, init, Runtime.getRuntime().halt(0);, as by a call of exit",
    "-n 2 --threads, made, Runtime.getRuntime().halt(0);, as by a call of exit",
    "-n 2 --threads, init, System.exit(0);, by a call of exit in .*p.Quits.init",
    "'', init, Runtime.getRuntime().halt(0);, as by a call of exit"
  })
  @QuickRows({1, 4, 6})
  @FirstRows(1)
  void perfHasNoResult(String ranks, String where, String what, String how) throws Exception {
    Map<String, String> rank =
        Map.of("NITINOL_RANK", "0", "NITINOL_SIZE", "1", "NCCL_COMM_ID", "127.0.0.1:29655");
    Path jar = jar(where, what);
    String words = ("perf all_reduce " + ranks + SMALL).replaceAll(" +", " ");
    try (CommandProcess perf =
        CommandProcess.start(with(jar, ranks.isEmpty() ? rank : Map.of()), words.split(" "))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(4);
      assertThat(perf.err())
          .containsPattern(
              "nitinol perf: (rank \\d|the process) \\(pid \\d+\\) ended with exit status 0 before it"
                  + " reported, "
                  + how)
          .containsPattern(
              ", during (the constructor or name|init).* (p.Quits|Quits) from .*" + jar);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "plugins, System.exit(0);",
    "plugins --json, Runtime.getRuntime().halt(0);",
    "doctor, System.exit(0);",
    "plugins, Runtime.getRuntime().halt(0);",
    "plugins --json, System.exit(0);",
    "doctor, Runtime.getRuntime().halt(0);"
  })
  @QuickRows({1, 2, 3})
  @FirstRows(1)
  void nothingIsFound(String command, String what) throws Exception {
    Path jar = jar("init", what);
    try (CommandProcess look = CommandProcess.start(with(jar, Map.of()), command.split(" "))) {
      assertThat(look.exit()).as("%s", look).isEqualTo(3);
      assertThat(look.out()).isEmpty();
      assertThat(look.err())
          .contains("ended with exit status 0 before it reported")
          .containsPattern(", during init of net(work)? Quits from .*" + jar);
    }
  }

  @Test
  void noVariablesAreListed() throws Exception {
    try (CommandProcess env = CommandProcess.start(with(jar("made", HALT), Map.of()), "env")) {
      assertThat(env.exit()).as("%s", env).isEqualTo(3);
      assertThat(env.err()).contains("nitinol env: the process ", " of p.Quits from ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {EXIT, HALT})
  @QuickRows(2)
  void nothingIsLoaded(String what) throws Exception {
    Path jar = jar("made", what);
    try (CommandProcess tck =
        CommandProcess.start("tck", jar.toString(), "--rule", "NET-CONN-09")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(3);
      assertThat(tck.err())
          .contains("the plugin cannot be loaded: before the first test the process ended with");
    }
  }

  @Test
  @Slow
  void nothingIsTested() throws Exception {
    try (CommandProcess tck =
        CommandProcess.start(
            "tck", jar("init", HALT).toString(), "--rule", "NET-CONN-09", "--lane", "v6")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out()).contains("Quits BREAKS the contract");
    }
  }

  /** The statuses that SIGINT and SIGTERM lead to are as easily had as 0. */
  @ParameterizedTest
  @CsvSource({
    "130, System.exit(130);, by a call of exit in .*p.Quits.init",
    "143, Runtime.getRuntime().halt(143);, as by a call of exit"
  })
  @QuickRows(1)
  @Slow
  void nothingIsInterrupted(int status, String what, String how) throws Exception {
    String end = "ended with exit status " + status;
    try (CommandProcess plugins =
        CommandProcess.start(with(jar("init", what), Map.of()), "plugins")) {
      assertThat(plugins.exit()).as("%s", plugins).isEqualTo(3);
      assertThat(plugins.err())
          .containsPattern(
              "nitinol plugins: the process \\(pid \\d+\\) " + end + " before it reported, " + how)
          .contains(", during init of net");
    }
    try (CommandProcess tck =
        CommandProcess.start("tck", jar("made", what).toString(), "--rule", "NET-CONN-09")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(3);
      assertThat(tck.err())
          .contains("the plugin cannot be loaded: before the first test the process " + end);
    }
    try (CommandProcess tck =
        CommandProcess.start(
            "tck", jar("init", what).toString(), "--rule", "NET-CONN-09", "--lane", "v6")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out()).contains("Quits BREAKS the contract");
    }
  }

  /** A signal is one, also where it is sent to the inner process alone. */
  @ParameterizedTest
  @ValueSource(strings = {"plugins", "tck"})
  @QuickRows(2)
  @Slow
  void aSignalInterrupts(String command) throws Exception {
    interrupt(command, "");
  }

  /** The inner process has reported the signal, and the plugin has the last word. */
  @ParameterizedTest
  @ValueSource(strings = {"plugins", "tck"})
  @QuickRows(1)
  @Slow
  void aSignalInterruptsThoughAHookHaltsWithZero(String command) throws Exception {
    String hook =
        """
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
          boolean started = false; // every hook
          while (!started) {
            for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
              for (int i = 1; i < stack.length; i++) {
                started |= stack[i].getClassName().equals("java.lang.ApplicationShutdownHooks")
                    && stack[i - 1].getMethodName().equals("join");
              }
            }
          }
          try {
            for (Thread each : Thread.getAllStackTraces().keySet()) {
              if (java.util.List.of("report-end", "tck-signal").contains(each.getName())) {
                each.join();
              }
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          Runtime.getRuntime().halt(0);
        }));
        """;
    interrupt(command, hook);
  }

  private void interrupt(String command, String first) throws Exception {
    String waits =
        "System.out.println(\"there\"); boolean on = true;"
            + " while (on) java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000L);";
    Path jar = jar("made", first + waits);
    List<String> words = command.equals("tck") ? List.of("tck", jar.toString()) : List.of(command);
    try (CommandProcess waiting =
        CommandProcess.start(with(jar, Map.of()), words.toArray(String[]::new))) {
      waiting.awaitLine("^there");
      waiting.awaitChildren(1).forEach(ProcessHandle::destroy);
      assertThat(waiting.exit()).as("%s", waiting).isEqualTo(143);
      assertThat(waiting.err()).doesNotContain("ended with", "killed by", "cannot be loaded");
    }
  }

  @ParameterizedTest
  @CsvSource({"made, '<init>.*, during the constructor or name'", "init, init"})
  @QuickRows(2)
  void aSwitchHasFailed(String where, String when) throws Exception {
    List<String> words = List.of("switch", "--listen", "127.0.0.1:0", "--net", "Quits");
    Path jar = jar(where, EXIT);
    try (CommandProcess node =
        CommandProcess.start(with(jar, Map.of()), words.toArray(String[]::new))) {
      assertThat(node.exit()).as("%s", node).isEqualTo(3);
      assertThat(node.err())
          .containsPattern(
              "nitinol switch: a plugin ended the process: System.exit was called by .*p.Quits."
                  + when);
    }
  }

  /** A native {@code _exit} runs no hook of the JVM. */
  @Test
  void aLibraryThatEndsTheProcess() throws Exception {
    Path library =
        CPlugin.compile(
            "wrong",
            work.resolve("libwrong.so"),
            "-w",
            "-DONLY=8",
            "-DFAULT=LOAD_EXITS",
            "-DSTATUS=0",
            "-Dexit=_exit",
            "-include",
            "unistd.h");
    Map<String, String> variables = Map.of("NCCL_NET_PLUGIN", library.toString());
    try (CommandProcess plugins = CommandProcess.start(variables, "plugins")) {
      assertThat(plugins.exit()).as("%s", plugins).isEqualTo(3);
      assertThat(plugins.err())
          .contains("ended with exit status 0 before it reported, as by a call of exit")
          .contains(", during the loading of " + library);
    }
    try (CommandProcess perf =
        CommandProcess.start(variables, ("perf all_reduce -n 2" + SMALL).split(" "))) {
      assertThat(perf.exit()).as("%s", perf).isEqualTo(4);
      assertThat(perf.err()).contains("ended with exit status 0 before it reported");
    }
  }

  private static Map<String, String> with(Path jar, Map<String, String> more) {
    Map<String, String> variables = new HashMap<>(more);
    variables.put("NITINOL_PLUGIN_PATH", jar.getParent().toString());
    variables.put("NCCL_NET", "Quits");
    return variables;
  }

  /** Returns a plugin that does something when it is made, or initialized. */
  private Path jar(String where, String what) throws Exception {
    PluginClass plugin = PluginClass.net(6, "p.Quits", "Quits");
    Path directory = work.resolve(where + what.hashCode());
    return new PluginJar(directory.resolve("work"))
        .plugin(
            where.equals("made")
                ? plugin.members("public Quits() { " + what + " }")
                : plugin.init(what))
        .write(directory.resolve("quits.jar"));
  }
}
