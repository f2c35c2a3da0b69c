// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import io.nitinol.spi.ResultCode;

/**
 * What is wrong when a call of a device provider fails. NCCL has no codes for these, and says
 * {@code ncclUnhandledCudaError} to most of them; each constant names the code that an application
 * sees.
 */
public enum DeviceFailure {
  /** An argument is out of its range, or an object belongs to another provider or device. */
  INVALID_ARGUMENT(ResultCode.INVALID_ARGUMENT),
  /** The object is closed, or the call does not go with its state, such as a capture under way. */
  INVALID_STATE(ResultCode.INVALID_USAGE),
  /** The device or the driver cannot do this; {@link Device#supports} says so beforehand. */
  UNSUPPORTED(ResultCode.INVALID_USAGE),
  /** There is not enough memory. The device goes on working. */
  OUT_OF_MEMORY(ResultCode.UNHANDLED_CUDA_ERROR),
  /**
   * The device has failed or gone: a fault of a kernel, an error of its memory, a reset. Nothing on
   * it works any more in this process.
   */
  DEVICE_LOST(ResultCode.UNHANDLED_CUDA_ERROR),
  /**
   * The memory of another process cannot be opened: the handle is stale or of another host, the
   * processes have no right to each other's memory, or the allocation cannot be shared.
   */
  IPC_REFUSED(ResultCode.SYSTEM_ERROR),
  /** The team has been aborted, by this rank or another, or a rank of it has gone. */
  TEAM_ABORTED(ResultCode.REMOTE_ERROR),
  /** The driver failed in another way; the message has its words. */
  DRIVER_ERROR(ResultCode.UNHANDLED_CUDA_ERROR);

  private final ResultCode result;

  DeviceFailure(ResultCode result) {
    this.result = result;
  }

  /**
   * {@return the code of NCCL that stands for this failure; of any driver, UNHANDLED_CUDA_ERROR for
   * what RCCL and NCCL call so}
   */
  public ResultCode result() {
    return result;
  }
}
