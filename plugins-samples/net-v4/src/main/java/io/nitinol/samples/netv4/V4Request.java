// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.net.HostRegion;
import io.nitinol.toolkit.net.Token;
import org.jspecify.annotations.Nullable;

/** A message on its way. A stream has a fixed number of them and uses them again and again. */
final class V4Request extends Token implements Request {
  final Stream stream;
  @Nullable HostRegion region;
  long offset;
  int length; // of the message; until a receive knows it, the room
  boolean complete;

  V4Request(SampleV4 plugin, Stream stream) {
    super(plugin);
    this.stream = stream;
  }
}
