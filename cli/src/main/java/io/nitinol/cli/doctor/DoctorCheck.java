// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Looks at one thing. */
@FunctionalInterface
interface DoctorCheck {
  /**
   * Returns what was found, which may be several things or none.
   *
   * @throws IOException where it cannot be found out; its message is a sentence for the user
   */
  List<DoctorFinding> look() throws IOException;

  /** Returns what a check finds; where it cannot, one finding by {@code name} that is unknown. */
  static List<DoctorFinding> run(String name, DoctorCheck check) {
    try {
      return check.look();
    } catch (IOException | UncheckedIOException e) {
      return List.of(DoctorFinding.unknown(name, String.valueOf(e.getMessage())));
    }
  }
}
