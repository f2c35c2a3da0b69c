// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/**
 * A connection was there, but its buffers could not be registered: this rank's trouble, whatever
 * the peer does. The connection is closed again, unless that failed too.
 */
public final class RegistrationException extends NetException {
  private static final long serialVersionUID = 1L;

  private final boolean closed;

  private RegistrationException(
      ResultCode result, String message, Throwable cause, boolean closed) {
    super(result, message, cause);
    this.closed = closed;
  }

  /** Closes the connection and returns what to throw. */
  public static RegistrationException closing(Runnable connection, Throwable cause) {
    boolean closed = false;
    try {
      connection.run();
      closed = true;
    } catch (Throwable e) {
      cause.addSuppressed(e);
    }
    ResultCode result = cause instanceof NetException e ? e.result() : ResultCode.INTERNAL_ERROR;
    return new RegistrationException(
        result, "the buffers could not be registered: " + cause, cause, closed);
  }

  /** Returns whether the connection is closed, so that nothing uses the buffers. */
  public boolean isClosed() {
    return closed;
  }
}
