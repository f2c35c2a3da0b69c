// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.nio.file.Path;

/**
 * A PEM file and the variable that names it.
 *
 * @param path the path of the file
 * @param variable the name of the variable, for messages
 */
public record PemFile(Path path, String variable) {
  /** Returns {@code VARIABLE=PATH}. */
  @Override
  public String toString() {
    return variable + "=" + path;
  }
}
