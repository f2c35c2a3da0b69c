// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What errors of the driver and of callers become: exceptions with a {@link DeviceFailure}. */
@SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
final class CudaFailures {
  private CudaFailures() {}

  static DeviceException invalid(String format, @Nullable Object... arguments) {
    return of(DeviceFailure.INVALID_ARGUMENT, format, arguments);
  }

  static DeviceException state(String format, @Nullable Object... arguments) {
    return of(DeviceFailure.INVALID_STATE, format, arguments);
  }

  static DeviceException of(DeviceFailure failure, String format, @Nullable Object... arguments) {
    return new DeviceException(failure, "cuda: " + String.format(Locale.ROOT, format, arguments));
  }

  /** The same failure, thrown once more from another place. */
  static DeviceException again(DeviceException first) {
    return new DeviceException(first.failure(), String.valueOf(first.getMessage()), first);
  }

  static <T> T notNull(@Nullable T argument, String name) {
    if (argument == null) {
      throw invalid("%s is null", name);
    }
    return argument;
  }

  /**
   * Returns the exception for an error of the driver.
   *
   * @param code what the call returned
   * @param call the call's name
   * @param device the device it was for, as messages name it
   * @param about what the call was about
   */
  static DeviceException driver(int code, String call, String device, String about) {
    return driver(failure(code), code, call, device, about);
  }

  /** Like {@link #driver(int, String, String, String)}, where the caller knows what it means. */
  static DeviceException driver(
      DeviceFailure failure, int code, String call, String device, String about) {
    return new DeviceException(
        failure,
        "cuda: "
            + device
            + ": "
            + call
            + (about.isEmpty() ? "" : ", " + about)
            + ": "
            + describe(code)
            + (failure == DeviceFailure.DEVICE_LOST
                ? "; nothing on this device works any more in this process"
                : ""));
  }

  /** Returns the driver's name of an error and its words for it. */
  static String describe(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
      String name =
          cuda_h.cuGetErrorName(code, text) == cuda_h.CUDA_SUCCESS()
              ? string(text)
              : "error " + code;
      return cuda_h.cuGetErrorString(code, text) == cuda_h.CUDA_SUCCESS()
          ? name + " (" + string(text) + ")"
          : name;
    }
  }

  private static String string(MemorySegment pointer) {
    return pointer.get(ValueLayout.ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Returns what an error of the driver means, wherever it comes from. */
  static DeviceFailure failure(int code) {
    // Not a switch: the codes are functions of the bindings.
    if (isSticky(code)) {
      return DeviceFailure.DEVICE_LOST;
    }
    if (code == cuda_h.CUDA_ERROR_OUT_OF_MEMORY()) {
      return DeviceFailure.OUT_OF_MEMORY;
    }
    if (code == cuda_h.CUDA_ERROR_INVALID_VALUE() || code == cuda_h.CUDA_ERROR_INVALID_HANDLE()) {
      return DeviceFailure.INVALID_ARGUMENT;
    }
    if (code == cuda_h.CUDA_ERROR_NOT_SUPPORTED()
        || code == cuda_h.CUDA_ERROR_NOT_PERMITTED()
        || code == cuda_h.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED()
        || code == cuda_h.CUDA_ERROR_TOO_MANY_PEERS()
        || code == cuda_h.CUDA_ERROR_UNSUPPORTED_PTX_VERSION()
        || code == cuda_h.CUDA_ERROR_NO_BINARY_FOR_GPU()) {
      return DeviceFailure.UNSUPPORTED;
    }
    if (code == cuda_h.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED() || isCapture(code)) {
      return DeviceFailure.INVALID_STATE;
    }
    return DeviceFailure.DRIVER_ERROR;
  }

  /** Returns whether an error says that a capture forbids the call or has failed. */
  static boolean isCapture(int code) {
    return code >= cuda_h.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED()
        && code <= cuda_h.CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD();
  }

  /** Returns whether the driver gives this error to every later call too. */
  static boolean isSticky(int code) {
    return code == cuda_h.CUDA_ERROR_ILLEGAL_ADDRESS()
        || code == cuda_h.CUDA_ERROR_LAUNCH_TIMEOUT()
        || code == cuda_h.CUDA_ERROR_ASSERT()
        || code == cuda_h.CUDA_ERROR_HARDWARE_STACK_ERROR()
        || code == cuda_h.CUDA_ERROR_ILLEGAL_INSTRUCTION()
        || code == cuda_h.CUDA_ERROR_MISALIGNED_ADDRESS()
        || code == cuda_h.CUDA_ERROR_INVALID_ADDRESS_SPACE()
        || code == cuda_h.CUDA_ERROR_INVALID_PC()
        || code == cuda_h.CUDA_ERROR_LAUNCH_FAILED()
        || code == cuda_h.CUDA_ERROR_ECC_UNCORRECTABLE()
        || code == cuda_h.CUDA_ERROR_NVLINK_UNCORRECTABLE()
        || code == cuda_h.CUDA_ERROR_CONTAINED()
        || code == cuda_h.CUDA_ERROR_CONTEXT_IS_DESTROYED()
        || code == cuda_h.CUDA_ERROR_EXTERNAL_DEVICE();
  }
}
