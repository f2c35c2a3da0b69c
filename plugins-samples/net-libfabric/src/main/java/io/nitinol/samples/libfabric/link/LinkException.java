// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.link;

import java.io.Serial;

/** The peer has sent what no peer sends. */
public final class LinkException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Says what came.
   *
   * @param what came, a noun
   */
  public LinkException(String what) {
    super(what);
  }

  LinkException(String what, Throwable cause) {
    super(what, cause);
  }
}
