// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.toolkit.ErrorText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The launchers that there are, and the one that has started this process. */
final class LauncherChecks {
  private static final List<String> PROGRAMS = List.of("mpirun", "mpiexec", "srun", "torchrun");
  private static final String LAUNCHERS = "launchers";
  private static final String RANK = "rank";

  private LauncherChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(LAUNCHERS, () -> List.of(programs(host))));
    found.addAll(DoctorCheck.run(RANK, () -> List.of(rank(host))));
    return found;
  }

  static DoctorFinding programs(ExaminedHost host) {
    List<String> found = new ArrayList<>();
    for (String name : PROGRAMS) {
      Path program = host.program(name);
      if (program != null) {
        found.add(program.toString());
      }
    }
    return found.isEmpty()
        ? DoctorFinding.note(
            LAUNCHERS,
            "none of " + String.join(", ", PROGRAMS) + " on the PATH",
            "nitinol run starts the ranks of one host without any.")
        : DoctorFinding.note(LAUNCHERS, String.join(", ", found));
  }

  static DoctorFinding rank(ExaminedHost host) {
    try {
      RankEnvironment rank = RankEnvironment.detect(host.environment());
      return DoctorFinding.note(
          RANK,
          rank == null
              ? "no launcher has made this process a rank"
              : ErrorText.of("%d of %d, says %s", rank.rank(), rank.size(), rank.launcher()));
    } catch (IllegalArgumentException e) {
      return DoctorFinding.warning(
          RANK,
          String.valueOf(e.getMessage()),
          "A program that takes its rank from its environment fails with these variables.",
          variables(host).isEmpty() ? null : "unset " + String.join(" ", variables(host)));
    }
  }

  private static List<String> variables(ExaminedHost host) {
    return RankEnvironment.rankVariables().stream()
        .filter(host.environment()::containsKey)
        .toList();
  }
}
