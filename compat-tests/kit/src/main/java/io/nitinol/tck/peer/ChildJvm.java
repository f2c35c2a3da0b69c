// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.core.launch.JvmCommand;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.session.KitPatience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** How the kit starts JVMs: like its own, but small and quick to start. */
public final class ChildJvm {
  private static final long SIGNAL_SECONDS = 10;
  private static final Set<Integer> TOLD_TO_END = Set.of(128 + 1, 128 + 2, 128 + 9, 128 + 15);

  private ChildJvm() {}

  /**
   * Returns a command line with the paths and options of this JVM; an agent that measures coverage
   * would slow each process down and be killed with it.
   *
   * @param options more options for the JVM
   * @param main the main class, of this module
   * @param arguments its arguments
   */
  public static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    all.addAll(options);
    return JvmCommand.ofThisProcess().withoutAgents().with(all).run(main, arguments);
  }

  /**
   * Returns whether a process was ended by a signal that no plugin is the reason for: HUP, INT,
   * KILL or TERM. A run that is told to end gets them, and the kernel sends one where memory is
   * short.
   *
   * @param status its exit status
   */
  public static boolean isToldToEnd(int status) {
    return TOLD_TO_END.contains(status);
  }

  /**
   * Sends a signal to a process.
   *
   * @param name the signal without SIG, such as STOP
   * @throws Inconclusive when that does not succeed in time
   */
  public static void signal(Process process, String name, KitPatience patience) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
              .redirectErrorStream(true)
              .start();
      if (!kill.waitFor(patience.scaled(SIGNAL_SECONDS), TimeUnit.SECONDS)
          || kill.exitValue() != 0) {
        kill.destroyForcibly();
        throw new Inconclusive("kill -" + name + " " + process.pid() + " failed");
      }
    } catch (IOException e) {
      throw new Inconclusive("cannot run kill: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }
}
