// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.result.RelatedCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Where a thread stands, as lines for a report. */
final class ThreadStack {
  private static final int MOST_FRAMES = 24;

  /** How long the JVM may take to stop the thread for a look; some native calls never let it. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private ThreadStack() {}

  /** Returns the stack, innermost frame first, below a line with the thread's name. */
  static List<String> of(Thread thread) {
    AtomicReference<StackTraceElement[]> seen = new AtomicReference<>();
    Thread looking =
        Thread.ofPlatform()
            .daemon()
            .name("tck-stack")
            .start(() -> seen.set(thread.getStackTrace()));
    try {
      looking.join(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    StackTraceElement[] frames = seen.get();
    List<String> lines = new ArrayList<>();
    if (frames == null) {
      lines.add(
          RelatedCalls.STACK + thread.getName() + " is in a call that does not let the JVM look");
      return lines;
    }
    lines.add(RelatedCalls.STACK + thread.getName() + " stands in");
    Arrays.stream(frames).limit(MOST_FRAMES).forEach(frame -> lines.add("  at " + frame));
    if (frames.length > MOST_FRAMES) {
      lines.add("  and " + (frames.length - MOST_FRAMES) + " frames below");
    }
    return lines;
  }
}
