// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/** A stream of the driver, created here or another library's. */
final class CudaStream implements DeviceStream, Waiting {
  private final Device device;
  private final CudaContext context;
  private final MemorySegment handle;
  private final boolean owned;
  private final LocalLaunch local = new LocalLaunch();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Whether this object has begun a capture that it has not ended. */
  private volatile boolean began;

  private CudaStream(Device device, CudaContext context, MemorySegment handle, boolean owned) {
    this.device = device;
    this.context = context;
    this.handle = handle;
    this.owned = owned;
  }

  static CudaStream create(Device device, CudaContext context, boolean urgent) {
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      context.check(
          cuda_h.cuCtxGetStreamPriorityRange(out, out.asSlice(8)), "cuCtxGetStreamPriorityRange");
      int least = out.get(ValueLayout.JAVA_INT, 0);
      int greatest = out.get(ValueLayout.JAVA_INT, 8);
      context.check(
          cuda_h.cuStreamCreateWithPriority(
              out, cuda_h.CU_STREAM_NON_BLOCKING(), urgent ? greatest : least),
          "cuStreamCreateWithPriority");
      return new CudaStream(device, context, out.get(ValueLayout.ADDRESS, 0), true);
    } finally {
      context.leave(pushed);
    }
  }

  static CudaStream wrap(Device device, CudaContext context, long nativeHandle) {
    MemorySegment handle = MemorySegment.ofAddress(nativeHandle);
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result = cuda_h.cuStreamGetCtx(handle, out);
      if (result != 0 || out.get(ValueLayout.JAVA_LONG, 0) != context.handle().address()) {
        throw CudaFailures.driver(
            CudaFailures.isSticky(result)
                ? DeviceFailure.DEVICE_LOST
                : DeviceFailure.INVALID_ARGUMENT,
            result,
            "cuStreamGetCtx",
            context.name(),
            "a stream of this device is wanted");
      }
    } finally {
      context.leave(pushed);
    }
    return new CudaStream(device, context, handle, false);
  }

  /** {@return the {@code CUstream}} */
  MemorySegment handle() {
    return handle;
  }

  /** {@return the parameters of local kernels that are put into this stream} */
  LocalLaunch local() {
    return local;
  }

  void requireOpen() {
    if (closed.get()) {
      throw CudaFailures.state("the stream is closed");
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public long nativeHandle() {
    return handle.address();
  }

  private static void requireSize(long size) {
    if (size < 0) {
      throw CudaFailures.invalid("the size is negative: %d", size);
    }
  }

  @Override
  public void copy(long dst, long src, long size) {
    requireOpen();
    requireSize(size);
    if (size == 0) {
      return;
    }
    boolean pushed = context.enter();
    try {
      copyHere(dst, src, size);
    } finally {
      context.leave(pushed);
    }
  }

  /** Copies; the thread is in the context, and the size is above 0. */
  void copyHere(long dst, long src, long size) {
    int result = cuda_h.cuMemcpyAsync(dst, src, size, handle);
    if (result != 0) {
      throw context.failure(result, "cuMemcpyAsync", size + " bytes");
    }
  }

  @Override
  public void fill(long dst, byte value, long size) {
    requireOpen();
    requireSize(size);
    if (size == 0) {
      return;
    }
    boolean pushed = context.enter();
    try {
      int result = cuda_h.cuMemsetD8Async(dst, value, size, handle);
      if (result != 0) {
        throw context.failure(result, "cuMemsetD8Async", size + " bytes");
      }
    } finally {
      context.leave(pushed);
    }
  }

  private void requireNumber(long address) {
    requireOpen();
    if ((address & 7) != 0) {
      throw CudaFailures.invalid("a number at 0x%x: the address is not divisible by 8", address);
    }
    if (!device.supports(DeviceFeature.STREAM_VALUES)) {
      throw CudaFailures.of(
          DeviceFailure.UNSUPPORTED, "%s does not support STREAM_VALUES", context.name());
    }
  }

  @Override
  public void writeValue(long address, long value) {
    requireNumber(address);
    boolean pushed = context.enter();
    try {
      context.check(
          cuda_h.cuStreamWriteValue64_v2(
              handle, address, value, cuda_h.CU_STREAM_WRITE_VALUE_DEFAULT()),
          "cuStreamWriteValue64");
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public void waitValue(long address, long value) {
    requireNumber(address);
    boolean pushed = context.enter();
    try {
      context.check(
          cuda_h.cuStreamWaitValue64_v2(handle, address, value, cuda_h.CU_STREAM_WAIT_VALUE_GEQ()),
          "cuStreamWaitValue64");
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public void record(DeviceEvent event) {
    requireOpen();
    CudaEvent own = CudaEvent.own(event);
    if (!own.device().equals(device)) {
      throw CudaFailures.invalid("an event of %s, not of %s", own.device(), context.name());
    }
    own.requireOpen();
    boolean pushed = context.enter();
    try {
      boolean capturing = capturingHere();
      recordHere(own.handle());
      own.recorded(capturing);
    } finally {
      context.leave(pushed);
    }
  }

  /** Records an event of the driver; the thread is in the context. */
  void recordHere(MemorySegment event) {
    int result = cuda_h.cuEventRecord(event, handle);
    if (result != 0) {
      throw context.failure(result, "cuEventRecord", "");
    }
  }

  @Override
  public void await(DeviceEvent event) {
    requireOpen();
    CudaEvent own = CudaEvent.own(event);
    own.requireOpen();
    boolean pushed = context.enter();
    try {
      int result = cuda_h.cuStreamWaitEvent(handle, own.handle(), cuda_h.CU_EVENT_WAIT_DEFAULT());
      if (result != 0 && own.isCaptured()) {
        throw CudaFailures.driver(
            DeviceFailure.INVALID_STATE,
            result,
            "cuStreamWaitEvent",
            context.name(),
            "an event of a capture");
      }
      context.check(result, "cuStreamWaitEvent");
    } finally {
      context.leave(pushed);
    }
  }

  /** Waits for an event of the driver; the thread is in the context. */
  void awaitHere(MemorySegment event) {
    int result = cuda_h.cuStreamWaitEvent(handle, event, cuda_h.CU_EVENT_WAIT_DEFAULT());
    if (result != 0) {
      throw context.failure(result, "cuStreamWaitEvent", "");
    }
  }

  @Override
  public boolean query() {
    requireOpen();
    boolean pushed = context.enter();
    try {
      // The driver's answer to a query of a capturing stream is the end of the capture.
      requireNotCapturing("be asked whether it is done");
      int result = cuda_h.cuStreamQuery(handle);
      if (result == cuda_h.CUDA_ERROR_NOT_READY()) {
        return false;
      }
      context.check(result, "cuStreamQuery");
      return true;
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public boolean synchronize(long timeoutNanos) {
    return Waiting.await(this, timeoutNanos);
  }

  private void requireNotCapturing(String what) {
    if (capturingHere()) {
      throw CudaFailures.state("a stream that is capturing cannot %s", what);
    }
  }

  private boolean capturingHere() {
    MemorySegment out = CudaContext.scratch();
    context.check(cuda_h.cuStreamIsCapturing(handle, out), "cuStreamIsCapturing");
    return out.get(ValueLayout.JAVA_INT, 0) != cuda_h.CU_STREAM_CAPTURE_STATUS_NONE();
  }

  @Override
  public boolean isCapturing() {
    requireOpen();
    boolean pushed = context.enter();
    try {
      return capturingHere();
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public void beginCapture() {
    requireOpen();
    boolean pushed = context.enter();
    try {
      requireNotCapturing("begin another capture");
      int result = cuda_h.cuStreamBeginCapture_v2(handle, cuda_h.CU_STREAM_CAPTURE_MODE_RELAXED());
      context.check(result, "cuStreamBeginCapture");
      began = true;
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public DeviceGraph endCapture() {
    requireOpen();
    if (!began) {
      throw CudaFailures.state("this stream has begun no capture");
    }
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result = cuda_h.cuStreamEndCapture(handle, out);
      began = false;
      if (result != 0) {
        throw CudaFailures.driver(
            CudaFailures.isSticky(result) ? DeviceFailure.DEVICE_LOST : DeviceFailure.INVALID_STATE,
            result,
            "cuStreamEndCapture",
            context.name(),
            "the capture has failed and is over");
      }
      return CudaGraph.instantiate(device, context, out.get(ValueLayout.ADDRESS, 0), handle);
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public void launch(DeviceGraph graph) {
    requireOpen();
    if (!(graph instanceof CudaGraph own) || !own.device().equals(device)) {
      throw CudaFailures.invalid("%s is no graph of %s", graph, context.name());
    }
    own.requireOpen();
    boolean pushed = context.enter();
    try {
      requireNotCapturing("launch a graph");
      context.check(cuda_h.cuGraphLaunch(own.handle(), handle), "cuGraphLaunch");
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && owned) {
      context.release("cuStreamDestroy", "", () -> cuda_h.cuStreamDestroy_v2(handle));
    }
  }
}
