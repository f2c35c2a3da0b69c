// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A stream, or a wrapper of one: puts operations into a {@link StreamQueue} or a capture. */
final class CpuStream implements DeviceStream {
  private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();
  private static final AtomicLong HANDLES = new AtomicLong();
  private static final Map<Long, CpuStream> OPEN = new ConcurrentHashMap<>();

  private final CpuDevice device;
  private final long handle;
  private final State state;
  private final boolean owner;
  private volatile boolean closed;

  /** What a stream and its wrappers share. */
  private static final class State {
    final StreamQueue queue;
    volatile @Nullable Capture capture;

    State(StreamQueue queue) {
      this.queue = queue;
    }
  }

  private CpuStream(CpuDevice device, long handle, State state, boolean owner) {
    this.device = device;
    this.handle = handle;
    this.state = state;
    this.owner = owner;
  }

  static CpuStream create(CpuDevice device) {
    long handle = HANDLES.incrementAndGet();
    StreamQueue queue = new StreamQueue("stream " + handle + " of " + device.name());
    CpuStream stream = new CpuStream(device, handle, new State(queue), true);
    OPEN.put(handle, stream);
    return stream;
  }

  static CpuStream wrap(CpuDevice device, long handle) {
    CpuStream stream = OPEN.get(handle);
    if (stream == null || stream.device != device) {
      throw CpuFailures.invalid("%s has no stream %d", device.name(), handle);
    }
    return new CpuStream(device, handle, stream.state, false);
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public long nativeHandle() {
    return handle;
  }

  /** Puts an operation in, or records it. */
  void put(StreamOperation operation) {
    requireOpen();
    Capture capture = capture();
    if (capture != null) {
      capture.add(state.queue, operation);
    } else {
      state.queue.put(operation);
    }
  }

  @Override
  public void copy(long dst, long src, long size) {
    put(ElementWork.copy(device.reach(src, size), device.reach(dst, size)));
  }

  @Override
  public void fill(long dst, byte value, long size) {
    put(ElementWork.fill(device.reach(dst, size), value));
  }

  @Override
  public void writeValue(long address, long value) {
    MemorySegment number = number(address);
    put(StreamOperation.of(() -> NUMBER.setRelease(number, 0L, value)));
  }

  @Override
  public void waitValue(long address, long value) {
    MemorySegment number = number(address);
    StreamWork waiting =
        () ->
            (long) NUMBER.getAcquire(number, 0L) - value >= 0
                ? StreamWork.Progress.DONE
                : StreamWork.Progress.BLOCKED;
    put(() -> waiting);
  }

  private MemorySegment number(long address) {
    if (address % Long.BYTES != 0) {
      throw CpuFailures.invalid("0x%x is not divisible by 8", address);
    }
    return device.reach(address, Long.BYTES);
  }

  @Override
  public void record(DeviceEvent event) {
    if (!(event instanceof CpuEvent own) || own.device() != device) {
      throw CpuFailures.invalid("%s is no event of %s", event, device.name());
    }
    requireOpen();
    own.requireOpen();
    Capture capture = capture();
    if (capture != null) {
      own.set(capture.record(state.queue));
      return;
    }
    Point point = Point.ofWork();
    own.set(point);
    state.queue.put(point);
  }

  @Override
  public void await(DeviceEvent event) {
    if (!(event instanceof CpuEvent own)) {
      throw CpuFailures.invalid("%s is no event of this provider", event);
    }
    requireOpen();
    Point point = own.point();
    if (point == null) {
      return;
    }
    Capture from = point.capture();
    Capture capture = capture();
    if (from != null) {
      join(own, from, capture, point);
    } else if (capture != null) {
      throw CpuFailures.state("a capture cannot wait for an event from outside of it");
    } else {
      StreamWork waiting =
          () -> point.query() ? StreamWork.Progress.DONE : StreamWork.Progress.BLOCKED;
      state.queue.put(() -> waiting);
    }
  }

  private void join(CpuEvent event, Capture from, @Nullable Capture capture, Point point) {
    if (from.isOver()) {
      throw CpuFailures.state("the event was recorded into a capture that is over");
    }
    if (capture != null && capture != from) {
      throw CpuFailures.state("the event is of another capture");
    }
    if (event.device() != device) {
      throw CpuFailures.state("the event is of a capture on another device");
    }
    from.await(state.queue, point);
    state.capture = from;
  }

  @Override
  public boolean query() {
    requireOpen();
    requireNoCapture("queried");
    return state.queue.query();
  }

  @Override
  public boolean synchronize(long timeoutNanos) {
    requireOpen();
    requireNoCapture("waited for");
    return state.queue.synchronize(timeoutNanos);
  }

  @Override
  public void beginCapture() {
    requireOpen();
    requireNoCapture("captured once more");
    state.capture = new Capture(state.queue);
  }

  @Override
  public DeviceGraph endCapture() {
    requireOpen();
    Capture capture = capture();
    if (capture == null || !capture.isOf(state.queue)) {
      throw CpuFailures.state("this stream has begun no capture");
    }
    return new CpuGraph(device, capture.end());
  }

  @Override
  public boolean isCapturing() {
    requireOpen();
    return capture() != null;
  }

  /** Returns the capture under way; one that its first stream has ended is forgotten here. */
  private @Nullable Capture capture() {
    Capture capture = state.capture;
    if (capture != null && capture.isOver()) {
      state.capture = null;
      return null;
    }
    return capture;
  }

  @Override
  public void launch(DeviceGraph graph) {
    if (!(graph instanceof CpuGraph own) || own.device() != device) {
      throw CpuFailures.invalid("%s is no graph of %s", graph, device.name());
    }
    requireOpen();
    requireNoCapture("given a graph");
    state.queue.put(own.launch());
  }

  private void requireOpen() {
    if (closed) {
      throw CpuFailures.state("the stream is closed");
    }
  }

  private void requireNoCapture(String what) {
    if (capture() != null) {
      throw CpuFailures.state("a stream that is capturing cannot be %s", what);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (owner) {
      OPEN.remove(handle);
    }
  }
}
