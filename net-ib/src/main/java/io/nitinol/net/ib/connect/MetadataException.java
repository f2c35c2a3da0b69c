// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

/** The peer sent something that this plugin does not send. */
final class MetadataException extends Exception {
  private static final long serialVersionUID = 1L;

  MetadataException(String message) {
    super(message);
  }

  MetadataException(String message, Throwable cause) {
    super(message, cause);
  }
}
