// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.toolkit.ErrorText;
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

  /**
   * Returns what a check finds; where it cannot, one finding by {@code name} that is unknown. No
   * check takes the answers of the others away, whatever happens to it.
   */
  static List<DoctorFinding> run(String name, DoctorCheck check) {
    try {
      return check.look();
    } catch (IOException | UncheckedIOException e) {
      return List.of(DoctorFinding.unknown(name, String.valueOf(e.getMessage())));
    } catch (RuntimeException | LinkageError e) {
      return List.of(
          DoctorFinding.unknown(name, "The check itself failed: " + ErrorText.reason(e)));
    }
  }
}
