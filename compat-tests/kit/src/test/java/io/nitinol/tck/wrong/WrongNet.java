// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.tck.ForwardingNet;

/** A right network, except where a subclass overrides it. */
abstract class WrongNet extends ForwardingNet {

  WrongNet() {
    this(new MemoryNet());
  }

  /** Over another right network, for mistakes that do not fit the reference. */
  WrongNet(Net right) {
    super(right);
  }
}
