// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks whether the needs of a test are met. */
final class Needs {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private static final String NO_PROCESSES = "the run was asked to start no processes";

  private Needs() {}

  /** Returns the reason why a test does not apply to a lane at all; null if it may. */
  static @Nullable String missing(
      RuleCase test, Lane lane, boolean reachesProcesses, boolean mayStart) {
    Placement placement = test.terms().in();
    boolean own = placement == Placement.PROCESS || placement == Placement.PROCESS_WAITING;
    if (own && !mayStart) {
      return NO_PROCESSES;
    }
    for (Need need : test.terms().needs()) {
      String why =
          switch (need) {
            case V5 -> lane.provided() >= 5 ? null : "version 4 has other rules (NET-V4-*)";
            case V4_ONLY -> lane.provided() == 4 ? null : "a rule of version 4";
            case V5_ONLY -> lane.provided() == 5 ? null : "a rule of version 5";
            case V9 -> lane.provided() >= 9 ? null : "a rule of version 9 and later";
            case V11 -> lane.provided() >= 11 ? null : "a rule of version 11 and later";
            case DIRECT -> lane.isDirect() ? null : "about the plugin itself, not its adapters";
            case MULTI_RECEIVE -> lane.provided() >= 5 ? null : "version 4 receives one piece";
            case PROCESSES ->
                !mayStart
                    ? NO_PROCESSES
                    : reachesProcesses
                        ? null
                        : "the plugin's author says it reaches one process only";
            case SOLO -> mayStart ? null : NO_PROCESSES;
            case PROC ->
                Files.isDirectory(DESCRIPTORS) ? null : "this system has no " + DESCRIPTORS;
            case TWO_DEVICES -> null;
          };
      if (why != null) {
        return why;
      }
    }
    return null;
  }

  /**
   * Checks the needs that only the running plugin can answer.
   *
   * @throws Inapplicable where something is missing
   */
  static void checkPlugin(RuleCase test, TestSession session) {
    for (Need need : test.terms().needs()) {
      if (need == Need.TWO_DEVICES && session.devices() < 2) {
        throw new Inapplicable("the plugin has one device");
      }
      if (need == Need.MULTI_RECEIVE && session instanceof NetSession net && net.maxRecvs() < 2) {
        throw new Inapplicable("the plugin's maxRecvs is 1");
      }
    }
  }
}
