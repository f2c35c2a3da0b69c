// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

/** A session with a CollNet. See {@link Session}. */
public final class CollSession extends Session {

  /** A session on these terms. */
  public CollSession(Terms terms) {
    super(terms);
  }
}
