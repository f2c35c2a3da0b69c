// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/** The bootstrap cannot go on; the message gives the reason and the ranks. */
public class BootstrapException extends NetException {
  private static final long serialVersionUID = 1L;

  private final int failedRank;

  /** Creates an exception that blames no single rank. */
  public BootstrapException(ResultCode result, String message) {
    this(result, -1, message, null);
  }

  /**
   * Creates an exception.
   *
   * @param failedRank the rank that failed, or -1
   */
  public BootstrapException(
      ResultCode result, int failedRank, String message, @Nullable Throwable cause) {
    super(result, message, cause);
    this.failedRank = failedRank;
  }

  /** Returns the rank that failed, or -1 if no single one is to blame. */
  public int failedRank() {
    return failedRank;
  }
}
