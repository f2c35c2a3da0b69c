// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.launch.RankEnvironment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

class RankCountTest {
  private static final Map<String, String> OPEN_MPI =
      Map.of("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2");
  private static final CommandLine COMMAND = new CommandLine(new Nothing());

  @Command(name = "nothing")
  private static final class Nothing {}

  @Test
  void startsRanksWhereACountIsGiven() {
    assertThat(RankCount.decide(COMMAND, 4, Map.of())).isNull();
  }

  @Test
  void isARankWhereALauncherSaysSo() {
    assertThat(RankCount.decide(COMMAND, null, OPEN_MPI))
        .isEqualTo(new RankEnvironment("Open MPI", 1, 2, -1));
  }

  @Test
  void isARankOfItsOwnLauncherWhateverTheCount() {
    assertThat(
            RankCount.decide(
                COMMAND,
                4,
                Map.of(
                    "NITINOL_RANK",
                    "3",
                    "NITINOL_SIZE",
                    "4",
                    LaunchVariables.LAUNCHED.name(),
                    "perf")))
        .isEqualTo(new RankEnvironment("nitinol", 3, 4, -1));
  }

  @Test
  void startsRanksInAJobOfOne() {
    assertThat(RankCount.decide(COMMAND, 4, Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "1")))
        .isNull();
  }

  @Test
  void doesNotStartRanksInRanks() {
    assertFails(
        4,
        OPEN_MPI,
        "-n 4 would start ranks inside rank 1 of 2, which Open MPI started; leave -n out to use"
            + " that one");
  }

  @Test
  void needsACountOrALauncher() {
    assertFails(
        null,
        Map.of(),
        "how many ranks? give -n RANKS, or start one process per rank with mpirun, srun or torchrun"
            + " (looked for NITINOL_RANK, RANK, OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID,"
            + " JOB_COMPLETION_INDEX)");
  }

  @Test
  void takesAnotherOptionsCountWhereNothingElseSaysSo() {
    assertThat(RankCount.decide(COMMAND, null, 8, Map.of())).isNull();
    assertThat(RankCount.decide(COMMAND, null, 8, OPEN_MPI))
        .isEqualTo(new RankEnvironment("Open MPI", 1, 2, -1));
    assertThat(RankCount.decide(COMMAND, 4, 8, Map.of())).isNull();
  }

  @Test
  void rejectsOtherCounts() {
    assertFails(0, Map.of(), "-n 0: expected a number of ranks from 1 to 4096");
    assertFails(5000, Map.of(), "-n 5000: expected a number of ranks from 1 to 4096");
  }

  @Test
  void rejectsALauncherThatMakesNoSense() {
    assertFails(
        null, Map.of("PMI_RANK", "x", "PMI_SIZE", "2"), "PMI_RANK=x: expected a whole number");
  }

  private static void assertFails(Integer ranks, Map<String, String> environment, String message) {
    assertThatThrownBy(() -> RankCount.decide(COMMAND, ranks, environment))
        .isInstanceOf(ParameterException.class)
        .hasMessage(message);
  }
}
