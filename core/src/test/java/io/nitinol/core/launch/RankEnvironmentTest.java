// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankEnvironmentTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NITINOL_RANK=1 NITINOL_SIZE=4                                        | nitinol  | 1 | 4  | -1
          NITINOL_RANK=1 NITINOL_SIZE=4 NITINOL_LOCAL_RANK=1                   | nitinol  | 1 | 4  | 1
          OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=3                        | Open MPI | 2 | 3  | -1
          OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_LOCAL_RANK=0 | Open MPI | 2 | 3 | 0
          PMI_RANK=0 PMI_SIZE=2                                                | MPICH    | 0 | 2  | -1
          PMI_RANK=0 PMI_SIZE=2 MPI_LOCALRANKID=0                              | MPICH    | 0 | 2  | 0
          SLURM_PROCID=7 SLURM_NTASKS=8                                        | Slurm    | 7 | 8  | -1
          SLURM_PROCID=7 SLURM_NTASKS=16 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=3 | Slurm   | 7 | 8  | 3
          SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_JOB_ID=9 SLURM_STEP_ID=0         | Slurm    | 1 | 2  | -1
          RANK=5 WORLD_SIZE=6 LOCAL_RANK=1 MASTER_ADDR=h MASTER_PORT=1         | torchrun | 5 | 6  | 1
          RANK=5 WORLD_SIZE=6 MASTER_ADDR=h SLURM_PROCID=0 SLURM_NTASKS=1      | torchrun | 5 | 6  | -1
          OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=3 SLURM_PROCID=0 SLURM_NTASKS=1 | Open MPI | 2 | 3 | -1
          PMI_RANK=1 PMI_SIZE=2 SLURM_PROCID=1 SLURM_NTASKS=2                  | MPICH    | 1 | 2  | -1
          NITINOL_RANK=1 NITINOL_SIZE=4 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 | nitinol | 1 | 4 | -1
          JOB_COMPLETION_INDEX=3 NITINOL_SIZE=4                                | Kubernetes | 3 | 4 | -1
          JOB_COMPLETION_INDEX=3 WORLD_SIZE=4                                  | Kubernetes | 3 | 4 | -1
          NITINOL_RANK=1 JOB_COMPLETION_INDEX=0 NITINOL_SIZE=4                 | nitinol  | 1 | 4  | -1
          RANK=1 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1                 | Open MPI | 0 | 1  | -1
          """)
  void readsTheInnermostLauncher(String env, String launcher, int rank, int size, int localRank) {
    assertThat(RankEnvironment.detect(environment(env)))
        .isEqualTo(new RankEnvironment(launcher, rank, size, localRank));
  }

  @ParameterizedTest
  @CsvSource({
    "HOME=/",
    "RANK=1",
    "RANK=1 WORLD_SIZE=2",
    "OMPI_COMM_WORLD_RANK=",
    "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_JOB_ID=9",
    "JOB_COMPLETION_INDEX=0",
  })
  void findsNoLauncher(String env) {
    assertThat(RankEnvironment.detect(environment(env))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NITINOL_RANK=1                   | NITINOL_RANK=1 is set, but not NITINOL_SIZE
          SLURM_PROCID=1                   | SLURM_PROCID=1 is set, but not SLURM_STEP_NUM_TASKS or SLURM_NTASKS
          PMI_RANK=one PMI_SIZE=2          | PMI_RANK=one: expected a whole number
          PMI_RANK=1 PMI_SIZE=2x           | PMI_SIZE=2x: expected a whole number
          NITINOL_RANK=4 NITINOL_SIZE=4    | nitinol says this is rank 4 of 4: not a rank of its job
          NITINOL_RANK=-1 NITINOL_SIZE=4   | nitinol says this is rank -1 of 4: not a rank of its job
          """)
  void rejectsWhatMakesNoSense(String env, String message) {
    assertThatThrownBy(() -> RankEnvironment.detect(environment(env)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void namesWhatItLooksFor() {
    assertThat(RankEnvironment.rankVariables())
        .containsExactly(
            "NITINOL_RANK",
            "RANK",
            "OMPI_COMM_WORLD_RANK",
            "PMI_RANK",
            "SLURM_PROCID",
            "JOB_COMPLETION_INDEX");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HOME=/                                    | no launcher has given this process a rank (looked for NITINOL_RANK, RANK, OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID, JOB_COMPLETION_INDEX): start it by nitinol run -n 4 -- java ..., mpirun, srun or torchrun, or set NITINOL_RANK and NITINOL_SIZE, and NCCL_COMM_ID to host:port of rank 0
          RANK=1 WORLD_SIZE=2                       | RANK=1 is set, but not MASTER_ADDR: torchrun sets all of them
          JOB_COMPLETION_INDEX=2                    | JOB_COMPLETION_INDEX=2 is set, but nothing says how many pods the Job has: set NITINOL_SIZE to its completions in the pod's env
          """)
  void saysWhatIsMissing(String env, String message) {
    assertThatThrownBy(() -> RankEnvironment.require(environment(env)))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessage(message);
  }

  @Test
  void whatMakesNoSenseIsAnArgumentError() {
    assertThatThrownBy(() -> RankEnvironment.require(environment("PMI_RANK=one PMI_SIZE=2")))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT))
        .hasMessage("PMI_RANK=one: expected a whole number");
  }

  private static Map<String, String> environment(String text) {
    Map<String, String> environment = new TreeMap<>();
    for (String pair : text.strip().split(" +", -1)) {
      int equals = pair.indexOf('=');
      environment.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return environment;
  }
}
