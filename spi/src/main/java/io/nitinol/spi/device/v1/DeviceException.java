// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import io.nitinol.spi.NetException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by device providers: the exception of the plugin boundary, with what is wrong as a
 * constant. The message names the provider and the device, the driver's call and its error, and
 * what the user can do, if anything.
 */
public final class DeviceException extends NetException {
  private static final long serialVersionUID = 1L;

  private final DeviceFailure failure;

  /**
   * Creates an exception.
   *
   * @param failure what is wrong
   * @param message one sentence: what failed, on which device, what to look at
   */
  public DeviceException(DeviceFailure failure, String message) {
    this(failure, message, null);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param failure what is wrong
   * @param message one sentence: what failed, on which device, what to look at
   * @param cause the failure underneath, or null
   */
  public DeviceException(DeviceFailure failure, String message, @Nullable Throwable cause) {
    super(failure.result(), message, cause);
    this.failure = failure;
  }

  /** {@return what is wrong} */
  public DeviceFailure failure() {
    return failure;
  }
}
