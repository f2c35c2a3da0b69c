// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/**
 * The ranks cannot meet, or the bootstrap between them cannot go on; the message gives the reason
 * and the ranks.
 */
public final class BootstrapException extends CommException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that blames no single rank. */
  public BootstrapException(ResultCode result, String message) {
    super(result, message);
  }

  /**
   * Creates an exception.
   *
   * @param failedRank the rank that failed, or -1
   */
  public BootstrapException(
      ResultCode result, int failedRank, String message, @Nullable Throwable cause) {
    super(result, failedRank, message, cause);
  }
}
