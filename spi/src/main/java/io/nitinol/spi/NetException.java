// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one exception of the plugin boundary: where a C plugin returns a code other than {@code
 * ncclSuccess}, a Java plugin throws this. The message names the peer, the device and, where there
 * is one, the variable to look at.
 */
public class NetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ResultCode result;

  /**
   * Creates an exception.
   *
   * @param result what kind of failure; never {@link ResultCode#SUCCESS}
   * @param message one sentence: what failed, for which peer and device, what to look at
   */
  public NetException(ResultCode result, String message) {
    this(result, message, null);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param result what kind of failure; never {@link ResultCode#SUCCESS}
   * @param message one sentence: what failed, for which peer and device, what to look at
   * @param cause the failure underneath, or null
   */
  public NetException(ResultCode result, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.result = Objects.requireNonNull(result, "result");
    if (result == ResultCode.SUCCESS) {
      throw new IllegalArgumentException("a NetException cannot carry SUCCESS: " + message);
    }
  }

  /** {@return what kind of failure this is} */
  public ResultCode result() {
    return result;
  }
}
