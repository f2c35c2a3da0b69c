// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Turns exceptions into what NCCL sees: a code, and a warning in its log. */
final class ExportFailures {
  private ExportFailures() {}

  /**
   * Logs a failure. Throws nothing whatever happens: what leaves an upcall ends the process.
   *
   * @param function NCCL's name of the function that failed
   * @return the {@code ncclResult_t}
   */
  static int tell(String function, Throwable failure) {
    int code =
        failure instanceof NetException known
            ? code(known.result())
            : ResultCode.INTERNAL_ERROR.code();
    try {
      String what =
          failure instanceof NetException
              ? " failed: " + failure.getMessage()
              : " failed, which is a defect of the plugin: " + trace(failure);
      Exported.LOGGER.warn("net-nitinol", "NET/Nitinol: " + function + what);
      return code;
    } catch (Throwable e) {
      return code; // no memory or no stack to say it with: the code has to do
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
