// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The primary context of a device, retained for ever when it is first needed. A thread makes it its
 * own for the length of a call:
 *
 * <pre>{@code
 * boolean pushed = context.enter();
 * try {
 *   // calls of the driver, which do not block the thread in Java
 * } finally {
 *   context.leave(pushed);
 * }
 * }</pre>
 *
 * A virtual thread stays on its carrier between the two, since nothing there parks it: no lock is
 * taken, nothing is read from a file, and no module is loaded.
 */
final class CudaContext {
  private static final int SCRATCH_SIZE = 64;

  /** For results of short calls; its content holds until the thread's next call of the driver. */
  private static final ThreadLocal<MemorySegment> SCRATCH =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SCRATCH_SIZE, 16));

  private final int ordinal;
  private final String name;

  /** Null until it is retained. */
  private volatile @Nullable MemorySegment handle;

  CudaContext(int ordinal, String name) {
    this.ordinal = ordinal;
    this.name = name;
  }

  static MemorySegment scratch() {
    return SCRATCH.get();
  }

  /** {@return the device as messages name it} */
  String name() {
    return name;
  }

  MemorySegment handle() {
    MemorySegment known = handle;
    return known == null ? retain() : known;
  }

  private synchronized MemorySegment retain() {
    MemorySegment known = handle;
    if (known == null) {
      MemorySegment out = scratch();
      check(cuda_h.cuDevicePrimaryCtxRetain(out, ordinal), "cuDevicePrimaryCtxRetain");
      known = out.get(ValueLayout.ADDRESS, 0);
      handle = known;
    }
    return known;
  }

  /** Returns whether the context exists, made by this provider or another library. */
  boolean isActive() {
    if (handle != null) {
      return true;
    }
    MemorySegment out = scratch();
    check(
        cuda_h.cuDevicePrimaryCtxGetState(ordinal, out, out.asSlice(8)),
        "cuDevicePrimaryCtxGetState");
    return out.get(ValueLayout.JAVA_INT, 8) != 0;
  }

  /**
   * Makes this the thread's context.
   *
   * @return whether {@link #leave} has to restore another one
   */
  boolean enter() {
    MemorySegment own = handle();
    MemorySegment out = scratch();
    check(cuda_h.cuCtxGetCurrent(out), "cuCtxGetCurrent");
    if (out.get(ValueLayout.JAVA_LONG, 0) == own.address()) {
      return false;
    }
    check(cuda_h.cuCtxPushCurrent_v2(own), "cuCtxPushCurrent");
    return true;
  }

  /** Restores the context that the thread had; pass what {@link #enter} returned. */
  void leave(boolean pushed) {
    if (pushed) {
      check(cuda_h.cuCtxPopCurrent_v2(scratch()), "cuCtxPopCurrent");
    }
  }

  /** A call of the driver that takes something back. */
  @FunctionalInterface
  interface Release {
    /** Returns the driver's result. */
    int call();
  }

  /**
   * Gives something back to the driver. Where the device is lost nothing is left to be given back,
   * and that is no failure of a close (DEV-15).
   *
   * @param call the call's name
   * @param about what it was about
   * @param release makes the call
   */
  void release(String call, String about, Release release) {
    try {
      boolean pushed = enter();
      try {
        int result = release.call();
        if (result != 0) {
          throw failure(result, call, about);
        }
      } finally {
        leave(pushed);
      }
    } catch (DeviceException e) {
      if (e.failure() != DeviceFailure.DEVICE_LOST) {
        throw e;
      }
    }
  }

  /** Throws what a result of the driver means, if it is an error. */
  void check(int result, String call) {
    if (result != 0) {
      throw failure(result, call, "");
    }
  }

  DeviceException failure(int result, String call, String about) {
    return CudaFailures.driver(result, call, name, about);
  }
}
