// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.ProfilerReport;
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

  /** The report, if this event is one; the trace shows its fields. */
  @Nullable ProfilerReport report;

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
        what = messages.sends() ? "send" : "receive";
        peer = messages.peer();
        channel = messages.channel();
      }
      case EventDescriptor.KernelCh steps -> channel = steps.channel();
      default -> what = null; // a group and a message have nothing more that the trace shows
    }
  }

  void start(ProfilerReport told) {
    type = told.type();
    report = told;
    switch (told) {
      case ProfilerReport.SlowCall call -> {
        what = call.call();
        about(call.peer(), call.channel(), call.begin(), call.nanos());
      }
      case ProfilerReport.Connection made -> {
        what = made.sends() ? "send" : "receive";
        about(made.peer(), made.channel(), made.begin(), made.nanos());
      }
      case ProfilerReport.Registration memory -> {
        bytes = memory.bytes();
        about(memory.peer(), memory.channel(), memory.begin(), memory.nanos());
      }
      case ProfilerReport.Failure failure -> {
        begin = failure.time();
        end = begin;
      }
      default -> { // a kind that is newer than this profiler
        begin = System.nanoTime();
        end = begin;
      }
    }
  }

  private void about(int other, int number, long began, long nanos) {
    peer = other;
    channel = number;
    begin = began;
    end = began + nanos;
  }

  private void call(Object function, Object elements, long howMany) {
    what = function;
    dataType = elements;
    count = howMany;
  }
}
