// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.session.CallTrace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes from the time of calls under way what their threads have waited for a core meanwhile.
 * Looked at every few milliseconds, so that the first look at a call comes soon after its start.
 */
final class CallDelays {
  /** A call is looked at more closely from then on, which costs a look at /proc. */
  private static final long YOUNG = 100_000_000;

  private record Call(Thread thread, long start) {}

  private Map<Call, Long> before = new HashMap<>();

  /** Returns the calls with the time that was theirs. */
  List<CallTrace.Running> without(List<CallTrace.Running> running) {
    Map<Call, Long> now = new HashMap<>();
    List<CallTrace.Running> own =
        running.stream().map(call -> call.nanos() < YOUNG ? call : without(call, now)).toList();
    before = now;
    return own;
  }

  private CallTrace.Running without(CallTrace.Running call, Map<Call, Long> now) {
    Call key = new Call(call.thread(), call.start());
    long delay = call.delay().nanos();
    long first = before.getOrDefault(key, delay);
    now.put(key, first);
    return new CallTrace.Running(
        call.method(),
        call.text(),
        Math.max(0, call.nanos() - Math.max(0, delay - first)), // 0 where it cannot be read
        call.thread(),
        call.start(),
        call.delay());
  }
}
