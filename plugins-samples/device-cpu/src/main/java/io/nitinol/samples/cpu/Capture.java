// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A recording under way. The operations of all streams that take part are kept in the order in
 * which they were put in, which no dependency among them contradicts; so a graph is one list. What
 * each stream has waited for is kept too, since work that the first stream never waits for makes
 * the capture fail.
 */
final class Capture {
  private final StreamQueue origin;
  private final List<StreamOperation> operations = new ArrayList<>();

  /** How many operations each stream has recorded. */
  private final Map<StreamQueue, Integer> recorded = new HashMap<>();

  /** For each stream how much of each other one lies before its next operation. */
  private final Map<StreamQueue, Map<StreamQueue, Integer>> seen = new HashMap<>();

  private boolean over;

  Capture(StreamQueue origin) {
    this.origin = origin;
    seen.put(origin, new HashMap<>());
  }

  synchronized boolean isOver() {
    return over;
  }

  boolean isOf(StreamQueue stream) {
    return origin == stream;
  }

  synchronized void add(StreamQueue stream, StreamOperation operation) {
    operations.add(operation);
    recorded.merge(stream, 1, Integer::sum);
  }

  synchronized Point record(StreamQueue stream) {
    Map<StreamQueue, Integer> before = new HashMap<>(of(stream));
    before.put(stream, recorded.getOrDefault(stream, 0));
    return Point.ofCapture(this, before);
  }

  /** Lets a stream that takes part, or joins by this, wait for a point of this capture. */
  synchronized void await(StreamQueue stream, Point point) {
    Map<StreamQueue, Integer> before = of(stream);
    point.before().forEach((other, count) -> before.merge(other, count, Math::max));
  }

  /**
   * Ends the capture.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_STATE where a stream has work
   *     that the first one did not wait for
   */
  synchronized List<StreamOperation> end() {
    over = true;
    Map<StreamQueue, Integer> before = of(origin);
    recorded.forEach((stream, count) -> {
      if (stream != origin && before.getOrDefault(stream, 0) < count) {
        throw CpuFailures.state("a stream that joined the capture was not waited for");
      }
    });
    return List.copyOf(operations);
  }

  private Map<StreamQueue, Integer> of(StreamQueue stream) {
    return seen.computeIfAbsent(stream, any -> new HashMap<>());
  }
}
