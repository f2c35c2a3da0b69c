// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.core.launch.JvmCommand;
import java.util.ArrayList;
import java.util.List;

/** How the kit starts JVMs: like its own, but small and quick to start. */
public final class ChildJvm {
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
}
