// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.toolkit.ErrorText;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Decides whether a command starts ranks itself or is one, from {@code -n} and the environment. */
public final class RankCount {
  private static final int MAX = 4096;

  private RankCount() {}

  /**
   * Returns the rank that this process is, or null where it is to start {@code ranks} of them.
   *
   * @param ranks the value of {@code -n}, or null where it was not given
   * @throws ParameterException when there is neither a count nor a launcher, or both, or nonsense
   */
  public static @Nullable RankEnvironment decide(
      CommandLine command, @Nullable Integer ranks, Map<String, String> environment) {
    return decide(command, ranks, null, environment);
  }

  /**
   * As the other one.
   *
   * @param implied how many ranks there are where neither {@code -n} nor a launcher says so; null
   *     for an error then
   */
  public static @Nullable RankEnvironment decide(
      CommandLine command,
      @Nullable Integer ranks,
      @Nullable Integer implied,
      Map<String, String> environment) {
    RankEnvironment here;
    try {
      here = RankEnvironment.detect(environment);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
    if (ParentReport.isRank(environment) && here != null) {
      return here; // one of the ranks that a launcher started with its own arguments
    }
    if (ranks == null) {
      if (here == null && implied != null) {
        return decide(command, implied, null, environment);
      }
      if (here == null) {
        throw new ParameterException(
            command,
            ErrorText.of(
                "how many ranks? give -n RANKS, or start one process per rank with mpirun, srun "
                    + "or torchrun (looked for %s)",
                String.join(", ", RankEnvironment.rankVariables())));
      }
      return here;
    }
    if (ranks < 1 || ranks > MAX) {
      throw new ParameterException(
          command, "-n " + ranks + ": expected a number of ranks from 1 to " + MAX);
    }
    if (here != null && here.size() > 1) {
      throw new ParameterException(
          command,
          ErrorText.of(
              "-n %s would start ranks inside rank %s of %s, which %s started; leave -n out "
                  + "to use that one",
              ranks, here.rank(), here.size(), here.launcher()));
    }
    return null;
  }
}
