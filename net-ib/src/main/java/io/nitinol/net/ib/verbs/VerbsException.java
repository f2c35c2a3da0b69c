// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/**
 * A verb failed. The message names the call, the device (and port, where there is one), the error
 * in the C library's words and, where one is known, what to look at. Its result is {@link
 * ResultCode#SYSTEM_ERROR}, as NCCL returns where a verb fails.
 */
public final class VerbsException extends NetException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int errno;

  VerbsException(String call, String where, int errno, String message) {
    super(ResultCode.SYSTEM_ERROR, call + where + " failed: " + message);
    this.call = call;
    this.errno = errno;
  }

  /** {@return the name of the function that failed, such as {@code ibv_reg_mr}} */
  public String call() {
    return call;
  }

  /** {@return the error number; 0 where the function gave none} */
  public int errno() {
    return errno;
  }
}
