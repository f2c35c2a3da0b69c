// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** A message on its way. A stream has a fixed number of them and uses them again and again. */
final class V4Operation implements Request {
  final Stream stream;
  @Nullable V4Registration memory; // null while nobody uses this operation
  int offset;
  int length; // of the message; until a receive knows it, the room
  boolean complete;

  V4Operation(Stream stream) {
    this.stream = stream;
  }
}
