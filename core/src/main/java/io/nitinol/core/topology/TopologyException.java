// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

/** Says why a topology file cannot be used: what is wrong, at which line, with which value. */
public final class TopologyException extends Exception {
  private static final long serialVersionUID = 1L;

  public TopologyException(String message) {
    super(message);
  }

  public TopologyException(String message, Throwable cause) {
    super(message, cause);
  }
}
