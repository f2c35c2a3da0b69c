// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import org.jspecify.annotations.Nullable;

/** An event: constants and numbers, of which a text is made when no data moves any more. */
final class JsonEvent {
  EventType type = EventType.GROUP;
  long parent;

  /** Which collective; of messages whether they are sent or received. */
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

  private void call(Object function, Object elements, long howMany) {
    what = function;
    dataType = elements;
    count = howMany;
  }
}
