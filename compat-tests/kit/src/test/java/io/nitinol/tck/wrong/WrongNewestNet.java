// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.memory.MemoryNet12;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.tck.NewestNet;

/** A right network of the newest version, except where a subclass overrides it. */
abstract class WrongNewestNet extends NewestNet {

  WrongNewestNet() {
    this(new MemoryNet12());
  }

  /** Over another right network, for mistakes that do not fit the reference. */
  WrongNewestNet(Net right) {
    super(right);
  }
}
