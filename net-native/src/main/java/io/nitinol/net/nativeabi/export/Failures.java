// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What NCCL gets to see of exceptions: a code, and a warning in its log. */
final class Failures {
  private Failures() {}

  /**
   * Logs a failure.
   *
   * @param function NCCL's name of the function that failed
   * @return the {@code ncclResult_t}
   */
  static int tell(String function, Throwable failure) {
    if (failure instanceof NetException known) {
      warn(function + " failed: " + known.getMessage());
      return code(known.result());
    }
    warn(function + " failed, which is a defect of the plugin: " + trace(failure));
    return ResultCode.INTERNAL_ERROR.code();
  }

  /** Writes a warning to NCCL's log; where that fails too there is nobody left to tell. */
  static void warn(String text) {
    try {
      Exported.LOGGER.warn("net-nitinol", "NET/Nitinol: " + text);
    } catch (Throwable e) {
      assert e != null : "an upcall must return a code, whatever happens";
    }
  }

  /** Only NCCL 2.30 knows a timeout, and the nearest that all know is a peer's failure. */
  private static int code(ResultCode result) {
    return result == ResultCode.TIMEOUT ? ResultCode.REMOTE_ERROR.code() : result.code();
  }

  private static String trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString().strip();
  }
}
