// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.nio.file.Path;

/**
 * A file and what named it.
 *
 * @param path where it is
 * @param variable the variable that is set to it, for messages
 */
public record PemFile(Path path, String variable) {
  /** Returns {@code VARIABLE=PATH}. */
  @Override
  public String toString() {
    return variable + "=" + path;
  }
}
