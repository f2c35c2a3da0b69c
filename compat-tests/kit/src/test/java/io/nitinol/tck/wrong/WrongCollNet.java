// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.memory.MemoryCollNet;
import io.nitinol.tck.ForwardingCollNet;

/** A right collective network, except where a subclass overrides it. */
abstract class WrongCollNet extends ForwardingCollNet {

  WrongCollNet() {
    super(new MemoryCollNet());
  }
}
