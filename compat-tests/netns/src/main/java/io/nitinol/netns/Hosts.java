// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.util.List;

/** Two namespaces that can be linked, with nothing between them yet. */
record Hosts(Namespace near, Namespace far) implements AutoCloseable {

  /**
   * Makes both, or none.
   *
   * @throws Unavailable as {@link Namespace#open} does
   */
  static Hosts open() throws IOException, Unavailable {
    Namespace near = Namespace.open();
    try {
      return new Hosts(near, near.beside());
    } catch (IOException | Unavailable e) {
      near.close();
      throw e;
    }
  }

  List<Namespace> both() {
    return List.of(near, far);
  }

  @Override
  public void close() throws IOException {
    try (near) {
      far.close();
    }
  }
}
