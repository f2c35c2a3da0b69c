// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Judges a peer that does not answer: its plugin is to blame only where the peer's thread stands in
 * a call of the plugin, and still stands there a second later.
 */
final class PeerSilence {
  private static final long LATER = 1_000_000_000;

  /**
   * The packages of the kit whose code a peer runs; wrong plugins of its own tests are in others.
   */
  private static final List<String> KIT =
      List.of(
          "io.nitinol.tck.device.",
          "io.nitinol.tck.numeric.",
          "io.nitinol.tck.peer.",
          "io.nitinol.tck.plugin.",
          "io.nitinol.tck.session.");

  private PeerSilence() {}

  /**
   * Returns never.
   *
   * @param rule the rule that is broken where the plugin is to blame
   * @param what what has not happened, in a line
   * @throws RuleViolation when the plugin is to blame
   * @throws Inconclusive when it may be that the machine is too busy
   */
  static RuntimeException judge(PeerProcess process, String rule, String what) {
    @Nullable String first = call(process.stack());
    LockSupport.parkNanos(LATER);
    @Nullable String second = call(process.stack());
    if (first != null && first.equals(second)) {
      throw new RuleViolation(rule, what + "; its thread stands in " + first);
    }
    throw new Inconclusive(what + ", and its thread stands in no call of the plugin");
  }

  /**
   * Returns the innermost frame that is not the JDK's; null if it is the kit's or there is none.
   */
  static @Nullable String call(List<String> stack) {
    for (String frame : stack) {
      String method = frame.substring(frame.lastIndexOf('/') + 1);
      if (!frame.startsWith("java.base/") && !frame.startsWith("java.base@")) {
        return KIT.stream().anyMatch(method::startsWith) || method.isBlank() ? null : method;
      }
    }
    return null;
  }
}
