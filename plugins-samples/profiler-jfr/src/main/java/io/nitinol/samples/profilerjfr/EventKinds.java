// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Which class is which kind of event or report, and which kinds a recording wants. */
final class EventKinds {
  /** A kind as the recorder knows it, and its bits among those of events or of reports. */
  private record Kind(EventType recorded, int mask) {
    Kind(Class<? extends JfrEvent> type, io.nitinol.spi.profiler.EventType... reported) {
      int bits = 0;
      for (io.nitinol.spi.profiler.EventType each : reported) {
        bits |= each.mask();
      }
      this(EventType.getEventType(type), bits);
    }

    Kind(Class<? extends RankEvent> type, ReportType reported) {
      this(EventType.getEventType(type), reported.mask());
    }
  }

  private static final Kind[] KINDS = {
    new Kind(
        CallEvent.class,
        io.nitinol.spi.profiler.EventType.COLL_API,
        io.nitinol.spi.profiler.EventType.P2P_API),
    new Kind(CollectiveEvent.class, io.nitinol.spi.profiler.EventType.COLL),
    new Kind(PointToPointEvent.class, io.nitinol.spi.profiler.EventType.P2P),
    new Kind(ChannelEvent.class, io.nitinol.spi.profiler.EventType.KERNEL_CH),
    new Kind(ConnectionEvent.class, io.nitinol.spi.profiler.EventType.PROXY_OP),
    new Kind(MessageEvent.class, io.nitinol.spi.profiler.EventType.PROXY_STEP),
    new Kind(RestEvent.class, io.nitinol.spi.profiler.EventType.PROXY_CTRL),
  };

  private static final Kind[] REPORTS = {
    new Kind(SlowCallEvent.class, ReportType.SLOW_CALL),
    new Kind(SetupEvent.class, ReportType.CONNECTION),
    new Kind(RegistrationEvent.class, ReportType.REGISTRATION),
    new Kind(FailureEvent.class, ReportType.FAILURE),
  };

  private EventKinds() {}

  /** Returns the bits of the kinds of events that a recording of this process has switched on. */
  static int wanted() {
    return wanted(KINDS);
  }

  /** Returns whether {@link #wanted} has a kind; a look at one switch and not at all. */
  static boolean isWanted(io.nitinol.spi.profiler.EventType reported) {
    int mask = reported.mask();
    for (Kind kind : KINDS) {
      if ((kind.mask & mask) != 0) {
        return FlightRecorder.isInitialized() && kind.recorded.isEnabled();
      }
    }
    return false;
  }

  /** Returns the same of the kinds of reports. */
  static int reportsWanted() {
    return wanted(REPORTS);
  }

  private static int wanted(Kind[] kinds) {
    if (!FlightRecorder.isInitialized()) { // one look: there has been no recording yet
      return 0;
    }
    int wanted = 0;
    for (Kind kind : kinds) {
      if (kind.recorded.isEnabled()) {
        wanted |= kind.mask;
      }
    }
    return wanted;
  }

  /** Returns a new event, of a kind that is wanted. */
  static JfrEvent event(EventDescriptor descriptor) {
    return switch (descriptor) {
      case EventDescriptor.CollApi call ->
          new CallEvent(call.function(), call.count(), call.dataType());
      case EventDescriptor.P2pApi call ->
          new CallEvent(call.function(), call.count(), call.dataType());
      case EventDescriptor.Coll coll -> new CollectiveEvent(coll);
      case EventDescriptor.P2p pair -> new PointToPointEvent(pair);
      case EventDescriptor.KernelCh steps -> new ChannelEvent(steps.channel());
      case EventDescriptor.ProxyOp operation -> new ConnectionEvent(operation);
      case EventDescriptor.ProxyStep message -> new MessageEvent(message.step());
      default -> new RestEvent(); // of the kinds in the table, the only one without columns
    };
  }

  /** Returns a new event for a report; null for a kind that is newer than this profiler. */
  static @Nullable RankEvent event(ProfilerReport report) {
    return switch (report) {
      case ProfilerReport.SlowCall call -> new SlowCallEvent(call);
      case ProfilerReport.Connection connection -> new SetupEvent(connection);
      case ProfilerReport.Registration memory -> new RegistrationEvent(memory);
      case ProfilerReport.Failure failure -> new FailureEvent(failure);
      default -> null;
    };
  }
}
