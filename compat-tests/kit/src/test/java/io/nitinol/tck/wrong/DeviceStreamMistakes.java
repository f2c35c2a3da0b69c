// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceStream;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Device providers whose streams, events and graphs are wrong. */
public final class DeviceStreamMistakes {
  private DeviceStreamMistakes() {}

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Lets a large fill wait until the work behind it has been put in. */
  @Breaks(
      value = "DEVSTREAM-01",
      also = {"DEV-13", "DEV-16", "DEVSTREAM-14", "DEVSTREAM-15", "DEVSTREAM-16"})
  public static final class SwapsNeighbours extends WrongDevices {
    private record Late(long dst, byte value, long size) {}

    private final Map<Object, Late> late = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      if (!call.is(
          DeviceStream.class, "fill", "copy", "query", "synchronize", "record", "endCapture")) {
        return call.proceed();
      }
      DeviceStream stream = call.on(DeviceStream.class);
      if (call.is(DeviceStream.class, "fill") && call.number(2) > 1200) {
        flush(stream);
        late.put(stream, new Late(call.number(0), call.<Byte>argument(1), call.number(2)));
        return null;
      }
      if (call.is(DeviceStream.class, "copy")) {
        Object answer = call.proceed();
        flush(stream);
        return answer;
      }
      flush(stream);
      return call.proceed();
    }

    private void flush(DeviceStream stream) {
      Late fill = late.remove(stream);
      if (fill != null) {
        stream.fill(fill.dst, fill.value, fill.size);
      }
    }
  }

  /** Waits a little for the work before a copy. */
  @Breaks("DEVSTREAM-02")
  public static final class WaitsInCopy extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "copy")
          && call.number(2) == 1000
          && !call.on(DeviceStream.class).isCapturing()) {
        call.on(DeviceStream.class).synchronize(TimeUnit.MILLISECONDS.toNanos(130));
      }
      return call.proceed();
    }
  }

  /** Has two queues for all streams of a device. */
  @Breaks(value = "DEVSTREAM-03", also = "DEVSTREAM-08")
  public static final class TwoQueues extends WrongDevices {
    private final Map<Object, DeviceStream> queues = new ConcurrentHashMap<>();
    private final AtomicInteger created = new AtomicInteger();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "createStream")) {
        int queue = created.getAndIncrement() % 2;
        Device device = call.on(Device.class);
        return device.wrapStream(
            queues
                .computeIfAbsent(device.index() + "/" + queue, key -> device.createStream(false))
                .nativeHandle());
      }
      return call.proceed();
    }
  }

  /** Loses the last byte where neither side is aligned. */
  @Breaks(
      value = "DEVSTREAM-04",
      also = {"DEV-13", "DEV-16", "DEVSTREAM-01", "DEVSTREAM-14"})
  public static final class LosesAnUnalignedTail extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean odd =
          call.is(DeviceStream.class, "copy")
              && call.number(0) % 16 != 0
              && call.number(1) % 16 != 0
              && call.number(2) > 20;
      return (odd && call.number(2) % 8 != 0 ? call.with(2, call.number(2) - 1) : call).proceed();
    }
  }

  /** Fills words of four bytes where there are few. */
  @Breaks(
      value = "DEVSTREAM-05",
      also = {"DEV-16", "DEVSTREAM-01", "DEVSTREAM-14"})
  public static final class FillsWords extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean odd =
          call.is(DeviceStream.class, "fill") && call.number(2) > 4 && call.number(2) < 70;
      return (odd ? call.with(2, call.number(2) & ~3L) : call).proceed();
    }
  }

  /** Takes a negative size for nothing to do. */
  @Breaks("DEVSTREAM-06")
  public static final class NegativeIsNothing extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean negative = call.is(DeviceStream.class, "copy", "fill") && call.number(2) < 0;
      return negative ? null : call.proceed();
    }
  }

  /** Takes another provider's event for one that is complete. */
  @Breaks("DEVSTREAM-06")
  public static final class AwaitsAnything extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "await") && call.argument(0) != null) {
        try {
          return call.proceed();
        } catch (DeviceException e) {
          if (e.failure() == DeviceFailure.INVALID_ARGUMENT) {
            return null;
          }
          throw e;
        }
      }
      return call.proceed();
    }
  }

  /** Says that a stream has done its work when it has been put in. */
  @Breaks(
      value = "DEVSTREAM-07",
      also = {
        "DEVKERNEL-08",
        "DEVSTREAM-02",
        "DEVSTREAM-03",
        "DEVSTREAM-10",
        "DEVSTREAM-13",
        "DEVSTREAM-18",
        "DEVTEAM-12",
        "DEVTEAM-18"
      })
  public static final class QueryIsEarly extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return call.is(DeviceStream.class, "query") ? true : answer;
    }
  }

  /** Waits for the work in query. */
  @Breaks(
      value = "DEVSTREAM-07",
      also = {"DEVSTREAM-09"})
  public static final class QueryWaits extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceStream.class, "query")
          ? call.on(DeviceStream.class).synchronize(SECOND / 4)
          : call.proceed();
    }
  }

  /** Does not look at the clock while it waits. */
  @Breaks("DEVSTREAM-08")
  public static final class SynchronizeHasALongBreath extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean waits = call.is(DeviceStream.class, "synchronize");
      return (waits && call.number(0) < SECOND ? call.with(0, call.number(0) + SECOND / 3) : call)
          .proceed();
    }
  }

  /** Takes the interrupt of a thread that waits. */
  @Breaks("DEVSTREAM-08")
  public static final class TakesTheInterrupt extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(DeviceEvent.class, "synchronize")) {
        Thread.interrupted();
      }
      return answer;
    }
  }

  /** Waits for a record that has not come. */
  @Breaks("DEVSTREAM-09")
  public static final class FreshEventIsPending extends WrongDevices {
    private final Set<Object> recorded = ConcurrentHashMap.newKeySet();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "record") && call.argument(0) != null) {
        recorded.add(call.argument(0));
      }
      return call.is(DeviceEvent.class, "query") && !recorded.contains(call.on(DeviceEvent.class))
          ? false
          : call.proceed();
    }
  }

  /** Keeps the first record of an event that has come true. */
  @Breaks(value = "DEVSTREAM-09", also = "DEVSTREAM-11")
  public static final class CompleteForEver extends WrongDevices {
    private final Set<Object> complete = ConcurrentHashMap.newKeySet();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (!call.is(DeviceEvent.class, "query", "synchronize")) {
        return answer;
      }
      Object event = call.on(DeviceEvent.class);
      if (Boolean.TRUE.equals(answer)) {
        complete.add(event);
      }
      return complete.contains(event);
    }
  }

  /** Orders the streams of one device only. */
  @Breaks("DEVSTREAM-10")
  public static final class NoOrderAmongDevices extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceStream.class, "await")
              && call.argument(0) instanceof DeviceEvent event
              && isOther(event, call.on(DeviceStream.class))
          ? null
          : call.proceed();
    }

    private static boolean isOther(DeviceEvent event, DeviceStream stream) {
      Device device = event.device();
      return device.index() != stream.device().index() && !device.name().equals("foreign");
    }
  }

  /** Counts in microseconds. */
  @Breaks("DEVSTREAM-11")
  public static final class CountsMicroseconds extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer instanceof Long nanos && call.is(DeviceEvent.class, "elapsedNanos")
          ? nanos / 1000
          : answer;
    }
  }

  /** Has a time for each event, 0 where none was taken. */
  @Breaks(
      value = "DEVSTREAM-11",
      also = {"DEV-14", "DEVSTREAM-17"})
  public static final class TimeOfNothing extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      try {
        return call.proceed();
      } catch (DeviceException e) {
        if (call.is(DeviceEvent.class, "elapsedNanos")
            && e.failure() == DeviceFailure.INVALID_STATE) {
          return 0L;
        }
        throw e;
      }
    }
  }

  /** Waits for the low half of a number. */
  @Breaks("DEVSTREAM-12")
  public static final class WaitsForHalfANumber extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean waits = call.is(DeviceStream.class, "waitValue") && call.number(1) >>> 40 == 1;
      return (waits ? call.with(1, (long) (int) call.number(1)) : call).proceed();
    }
  }

  /** Rounds the address of a number down. */
  @Breaks("DEVSTREAM-12")
  public static final class RoundsTheAddressDown extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return (call.is(DeviceStream.class, "waitValue", "writeValue")
              ? call.with(0, call.number(0) & ~7L)
              : call)
          .proceed();
    }
  }

  /** Makes a new stream where it should wrap one. */
  @Breaks("DEVSTREAM-13")
  public static final class WrapsANewStream extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "wrapStream")
          ? call.on(Device.class).createStream(false)
          : call.proceed();
    }
  }

  /** Closes a stream with its wrapper. */
  @Breaks(value = "DEVSTREAM-13", also = "DEV-10")
  public static final class ClosesTheWrapped extends WrongDevices {
    private final Map<Long, DeviceStream> streams = new ConcurrentHashMap<>();
    private final Map<Object, DeviceStream> wrapped = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(Device.class, "createStream") && answer instanceof DeviceStream stream) {
        streams.put(stream.nativeHandle(), stream);
      }
      if (call.is(Device.class, "wrapStream") && answer instanceof DeviceStream stream) {
        DeviceStream original = streams.get(stream.nativeHandle());
        if (original != null) {
          wrapped.put(stream, original);
        }
      }
      if (call.is(DeviceStream.class, "close")) {
        DeviceStream original = wrapped.remove(call.on(DeviceStream.class));
        if (original != null) {
          original.close();
        }
      }
      return answer;
    }
  }

  /** Does fills at once as well when it records them. */
  @Breaks(
      value = "DEVSTREAM-14",
      also = {"DEVSTREAM-15", "DEVSTREAM-16", "DEVSTREAM-18"})
  public static final class WorksDuringACapture extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "fill") && call.number(2) > 0) {
        DeviceStream stream = call.on(DeviceStream.class);
        if (stream.isCapturing()) {
          DeviceStream beside = stream.device().createStream(false);
          beside.fill(call.number(0), call.<Byte>argument(1), call.number(2));
          beside.synchronize(SECOND);
          beside.close();
        }
      }
      return call.proceed();
    }
  }

  /** Runs a graph once only. */
  @Breaks(
      value = "DEVSTREAM-14",
      also = {"DEVKERNEL-08", "DEVSTREAM-16", "DEVSTREAM-18", "DEVTEAM-13"})
  public static final class RunsAGraphOnce extends WrongDevices {
    private final Set<Object> launched = ConcurrentHashMap.newKeySet();

    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceStream.class, "launch")
              && call.argument(0) instanceof DeviceGraph graph
              && !launched.add(graph)
          ? null
          : call.proceed();
    }
  }

  /** Says during a capture that the stream has nothing to do. */
  @Breaks("DEVSTREAM-15")
  public static final class AnswersDuringACapture extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceStream.class, "synchronize") && call.on(DeviceStream.class).isCapturing()
          ? true
          : call.proceed();
    }
  }

  /** Ends a capture when a call during it was refused. */
  @Breaks("DEVSTREAM-15")
  public static final class RefusalEndsTheCapture extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      try {
        return call.proceed();
      } catch (DeviceException e) {
        if (call.is(DeviceStream.class, "beginCapture")) {
          call.on(DeviceStream.class).endCapture().close();
        }
        throw e;
      }
    }
  }

  /** Blames the driver for a capture that cannot be ended. */
  @Breaks("DEVSTREAM-16")
  public static final class CaptureFailsInItsDriver extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceStream.class, "endCapture")
          ? call.failingWith(DeviceFailure.DRIVER_ERROR, DeviceFailure.INVALID_STATE)
          : call.proceed();
    }
  }

  /** Takes an event of a capture for complete. */
  @Breaks("DEVSTREAM-17")
  public static final class CapturedEventIsComplete extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      try {
        return call.proceed();
      } catch (DeviceException e) {
        if (call.is(DeviceEvent.class, "query") && e.getMessage().contains("capture")) {
          return true;
        }
        throw e;
      }
    }
  }

  /** Launches graphs that are closed. */
  @Breaks("DEVSTREAM-18")
  public static final class KeepsClosedGraphs extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceGraph.class, "close") ? null : call.proceed();
    }
  }

  /** Waits for the work of a stream that is closed. */
  @Breaks("DEVSTREAM-18")
  public static final class CloseWaits extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "close")) {
        DeviceStream stream = call.on(DeviceStream.class);
        for (int i = 0; i < 30; i++) {
          try {
            if (stream.query()) {
              break;
            }
          } catch (DeviceException e) {
            break; // it is closed, or captures
          }
          LockSupport.parkNanos(SECOND / 100);
        }
      }
      return call.proceed();
    }
  }
}
