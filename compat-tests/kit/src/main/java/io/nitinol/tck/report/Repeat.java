// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ShellWord;

/** Makes the command line that runs one test again. */
final class Repeat {
  private Repeat() {}

  /** Returns the command line that runs this test with the same random choices. */
  static String command(KitReport report, CaseResult result) {
    return ErrorText.of(
        "nitinol tck %s --rule %s --lane %s --seed %s --%s%s",
        ShellWord.quoted(report.argument()),
        result.rule(),
        ShellWord.quoted(result.lane()),
        report.seed(),
        report.mode(),
        report.flags());
  }
}
