// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.doctor.DoctorFinding.State;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherChecksTest {
  @TempDir private Path root;
  private WrittenHost written;

  @BeforeEach
  void begin() {
    written = new WrittenHost(root);
  }

  @Test
  void findsProgramsOnThePath() throws IOException {
    written.variable("PATH", "/nowhere::" + root.resolve("bin"));
    assertThat(LauncherChecks.programs(written.host()).seen())
        .isEqualTo("none of mpirun, mpiexec, srun, torchrun on the PATH");
    written.file("/bin/srun", "").file("/bin/mpirun", "");
    assertThat(root.resolve("bin/srun").toFile().setExecutable(true)).isTrue();
    assertThat(LauncherChecks.programs(written.host()).seen())
        .as("mpirun cannot be executed")
        .isEqualTo(root.resolve("bin/srun").toString());
  }

  @Test
  void tellsTheRank() {
    assertThat(LauncherChecks.rank(written.host()).state()).isEqualTo(State.NOTE);
    written.variable("OMPI_COMM_WORLD_RANK", "1").variable("OMPI_COMM_WORLD_SIZE", "4");
    assertThat(LauncherChecks.rank(written.host()).seen()).isEqualTo("1 of 4, says Open MPI");
  }

  @Test
  void variablesThatDoNotFitAreAWarning() {
    written.variable("OMPI_COMM_WORLD_RANK", "1");
    DoctorFinding found = LauncherChecks.rank(written.host());
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.seen()).contains("OMPI_COMM_WORLD_RANK=1 is set, but not");
    assertThat(found.mend()).isEqualTo("unset OMPI_COMM_WORLD_RANK");
  }
}
