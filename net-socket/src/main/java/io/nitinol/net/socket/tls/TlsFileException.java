// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/**
 * A PEM file that does not hold what it should, INVALID_USAGE; the message names the file, the
 * variable that is set to it and what was expected.
 */
public final class TlsFileException extends NetException {
  private static final long serialVersionUID = 1;

  TlsFileException(PemFile file, String why) {
    super(ResultCode.INVALID_USAGE, file + ": " + why);
  }

  /**
   * Creates the exception with a cause whose text {@code why} already contains. The cause is kept
   * as suppressed, since programs that print causes after messages would print that text twice.
   */
  TlsFileException(PemFile file, String why, Throwable cause) {
    this(file, why);
    addSuppressed(cause);
  }
}
