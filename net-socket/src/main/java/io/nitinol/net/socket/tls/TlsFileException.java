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
   * As without a cause, which {@code why} has to tell: it is kept as suppressed, since who prints
   * causes along with messages would say it twice.
   */
  TlsFileException(PemFile file, String why, Throwable cause) {
    this(file, why);
    addSuppressed(cause);
  }
}
