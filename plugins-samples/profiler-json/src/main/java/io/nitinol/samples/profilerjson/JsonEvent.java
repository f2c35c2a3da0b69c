// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event: constants and numbers, of which a text is made when no data moves any more. */
final class JsonEvent {
  /** An {@link EventType} or a {@link io.nitinol.spi.profiler.ReportType}. */
  Enum<?> type = EventType.GROUP;

  long parent;

  /** Which collective or call; of messages and connections which direction they have. */
  @Nullable Object what;

  @Nullable Object dataType;
  @Nullable Object algorithm;
  @Nullable Object protocol;
  long sequence = -1;
  long count = -1;
  long bytes = -1;
  int peer = -1;
  int channel = -1;
  boolean givenUp;

  /** What else a report tells. */
  Map<String, Object> details = Map.of();

  long begin;

  /** 0 while it has not ended. Written last, so that the thread that reads it sees the rest. */
  volatile long end;

  void start(EventDescriptor descriptor) {
    type = descriptor.type();
    parent = descriptor.parent();
    begin = System.nanoTime();
    switch (descriptor) {
      case EventDescriptor.CollApi call -> call(call.function(), call.dataType(), call.count());
      case EventDescriptor.P2pApi call -> call(call.function(), call.dataType(), call.count());
      case EventDescriptor.Coll coll -> {
        call(coll.function(), coll.dataType(), coll.count());
        algorithm = coll.algorithm();
        protocol = coll.protocol();
        sequence = coll.sequence();
      }
      case EventDescriptor.P2p pair -> {
        call(pair.function(), pair.dataType(), pair.count());
        peer = pair.peer();
      }
      case EventDescriptor.ProxyOp messages -> {
        what = direction(messages.sends());
        peer = messages.peer();
        channel = messages.channel();
      }
      case EventDescriptor.KernelCh steps -> channel = steps.channel();
      default -> what = null; // a group and a message have nothing more that the trace shows
    }
  }

  void start(ProfilerReport told) {
    type = told.type();
    switch (told) {
      case ProfilerReport.SlowCall call -> {
        details = Map.of("direction", direction(call.sends()));
        about(call.call(), call.peer(), call.channel(), call.begin(), call.nanos());
      }
      case ProfilerReport.Connection it -> {
        details = Map.of("network", it.network(), "device", it.device(), "use", it.use());
        about(direction(it.sends()), it.peer(), it.channel(), it.begin(), it.nanos());
      }
      case ProfilerReport.Registration it -> {
        bytes = it.bytes();
        details = Map.of("memory", it.memory(), "direction", direction(it.sends()));
        about(null, it.peer(), it.channel(), it.begin(), it.nanos());
      }
      case ProfilerReport.Failure it -> {
        details =
            Map.of("result", it.result(), "failed_rank", it.failedRank(), "message", it.message());
        about(null, -1, -1, it.time(), 0);
      }
      default -> about(null, -1, -1, System.nanoTime(), 0); // newer than this profiler
    }
  }

  private void about(@Nullable String name, int other, int number, long began, long nanos) {
    what = name;
    peer = other;
    channel = number;
    begin = began;
    end = began + nanos;
  }

  private static String direction(boolean sends) {
    return sends ? "send" : "receive";
  }

  private void call(Object function, Object elements, long howMany) {
    what = function;
    dataType = elements;
    count = howMany;
  }
}
