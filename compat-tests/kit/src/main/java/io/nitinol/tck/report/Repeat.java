// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;

/** How to run one test again. */
final class Repeat {
  private Repeat() {}

  /** Returns the options of the tck command that run this test with the same random choices. */
  static String options(KitReport report, CaseResult result) {
    return "--rule "
        + result.rule()
        + " --lane '"
        + result.lane()
        + "' --seed "
        + report.seed()
        + " --"
        + report.mode();
  }
}
