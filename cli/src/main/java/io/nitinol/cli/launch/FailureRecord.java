// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a rank ended, as one line on its stderr that only its launcher sees. So the
 * launcher can print once what all ranks would print.
 *
 * @param status the rank's exit status
 * @param failedRank the rank that has failed according to this one, or -1
 * @param message the sentence for the user; may have several lines
 */
public record FailureRecord(int status, int failedRank, String message) {

  /** Returns the record as a line for the launcher. */
  ReportLine line() {
    return new ReportLine(ReportLine.Kind.FAILURE, status + " " + failedRank + " " + message);
  }

  /** Returns what a line of the kind FAILURE holds, or null where it was cut short. */
  static @Nullable FailureRecord of(ReportLine report) {
    String[] parts = report.text().split(" ", 3);
    try {
      return new FailureRecord(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return null; // cut short by the death of the rank: shown as the text it is
    }
  }
}
