// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An event of the driver. */
final class CudaEvent implements DeviceEvent, Waiting {
  private static final double NANOS_PER_MILLISECOND = 1e6;

  private final Device device;
  private final CudaContext context;
  private final MemorySegment handle;
  private final boolean timed;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean recorded;
  private volatile boolean captured;

  private CudaEvent(Device device, CudaContext context, MemorySegment handle, boolean timed) {
    this.device = device;
    this.context = context;
    this.handle = handle;
    this.timed = timed;
  }

  static CudaEvent create(Device device, CudaContext context, boolean timed) {
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      context.check(
          cuda_h.cuEventCreate(
              out, timed ? cuda_h.CU_EVENT_DEFAULT() : cuda_h.CU_EVENT_DISABLE_TIMING()),
          "cuEventCreate");
      return new CudaEvent(device, context, out.get(ValueLayout.ADDRESS, 0), timed);
    } finally {
      context.leave(pushed);
    }
  }

  static CudaEvent own(@Nullable DeviceEvent event) {
    if (!(event instanceof CudaEvent own)) {
      throw CudaFailures.invalid("%s is no event of this provider", event);
    }
    return own;
  }

  /** {@return the {@code CUevent}} */
  MemorySegment handle() {
    return handle;
  }

  void requireOpen() {
    if (closed.get()) {
      throw CudaFailures.state("the event is closed");
    }
  }

  /** Notes a record. */
  void recorded(boolean inCapture) {
    captured = inCapture;
    recorded = true;
  }

  /** {@return whether the newest record is part of a capture} */
  boolean isCaptured() {
    return captured;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public boolean query() {
    requireOpen();
    if (captured) {
      throw CudaFailures.state("the event was recorded in a capture");
    }
    boolean pushed = context.enter();
    try {
      int result = cuda_h.cuEventQuery(handle);
      if (result == cuda_h.CUDA_ERROR_NOT_READY()) {
        return false;
      }
      context.check(result, "cuEventQuery");
      return true;
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public boolean synchronize(long timeoutNanos) {
    return Waiting.await(this, timeoutNanos);
  }

  @Override
  public long elapsedNanos(DeviceEvent start) {
    CudaEvent from = own(start);
    if (!from.device.equals(device)) {
      throw CudaFailures.invalid("an event of %s, not of %s", from.device, context.name());
    }
    requireMeasured();
    from.requireMeasured();
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      context.check(cuda_h.cuEventElapsedTime_v2(out, from.handle, handle), "cuEventElapsedTime");
      return Math.round(out.get(ValueLayout.JAVA_FLOAT, 0) * NANOS_PER_MILLISECOND);
    } finally {
      context.leave(pushed);
    }
  }

  private void requireMeasured() {
    requireOpen();
    if (!timed || !recorded || !query()) {
      throw CudaFailures.state(
          "the event is %s", !timed ? "not timed" : !recorded ? "not recorded" : "not complete");
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      context.release("cuEventDestroy", "", () -> cuda_h.cuEventDestroy_v2(handle));
    }
  }
}
