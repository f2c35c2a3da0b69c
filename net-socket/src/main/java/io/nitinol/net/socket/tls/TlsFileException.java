// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.nio.file.Path;

/** A PEM file that does not hold what it should; the message names the file and what it should. */
public final class TlsFileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TlsFileException(Path file, String why) {
    super("PEM file " + file + ": " + why);
  }

  TlsFileException(Path file, String why, Throwable cause) {
    super("PEM file " + file + ": " + why, cause);
  }
}
