// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.xml;

import io.nitinol.toolkit.ErrorText;

/** Says at which line a text is not what was expected. */
public final class XmlException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param line the line, from 1 on
   * @param message what is wrong there, with the value
   */
  public XmlException(int line, String message) {
    super(ErrorText.of("line %d: %s", line, message));
  }
}
