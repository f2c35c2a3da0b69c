// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.Connection;
import io.nitinol.tck.session.Listening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Session;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Steps of tests that make connections in unusual ways. */
final class Attempts {
  private Attempts() {}

  /** Connects device 0 from this very buffer, which the test has filled with a handle. */
  static Connection connectFrom(NetSession session, MemorySegment handle, Listening to) {
    return session.connectFrom(session.net(), 0, handle, to);
  }

  /** Makes a call that may fail with one of these codes, or succeed. */
  static void tolerate(Session session, String what, Runnable call, ResultCode... codes) {
    try {
      call.run();
    } catch (NetException e) {
      session.check(
          Set.of(codes).contains(e.result()),
          "%s failed with %s: %s",
          what,
          e.result(),
          e.getMessage());
    } catch (RuleViolation e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RuleViolation("NET-ERR-01", what + " threw " + e, e);
    }
  }
}
