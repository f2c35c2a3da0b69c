// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.model.SequenceCheck;
import io.nitinol.tck.session.NetSession;

/**
 * Random sequences of calls against a model of the contract. Such a test may find any rule broken:
 * the report has the shortest sequence that shows it.
 */
public final class SequenceRules {
  private static final int SEVERAL = 4;

  @Rule(value = "NET-TEST-02", seconds = 400)
  void anySequenceOfCallsKeepsTheContract(NetSession session) {
    SequenceCheck.run(session, 1);
  }

  @Rule(value = "NET-CONN-22", seconds = 400)
  void anySequenceOnSeveralConnectionsKeepsTheContract(NetSession session) {
    SequenceCheck.run(session, SEVERAL);
  }

  @Rule(value = "NET-ERR-03", seconds = 400)
  void anyLifeOfContextsConnectionsAndHandlesKeepsTheContract(NetSession session) {
    SequenceCheck.runLives(session, SEVERAL);
  }
}
