// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** One message under way; pooled by its comm. */
final class OfiRequest implements Request {
  final OfiCommEnd owner;
  long number;
  long bytes;
  boolean live;
  boolean done;

  /** Kept from being collected while the provider uses it. */
  @Nullable OfiMemory memory;

  OfiRequest(OfiCommEnd owner) {
    this.owner = owner;
  }

  OfiRequest begin(long itsNumber, long itsBytes, OfiMemory itsMemory) {
    number = itsNumber;
    bytes = itsBytes;
    memory = itsMemory;
    live = true;
    done = false;
    return this;
  }

  void end() {
    live = false;
    memory = null;
  }
}
