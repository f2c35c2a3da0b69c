// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.memory.MemoryCollNet12;
import io.nitinol.tck.NewestCollNet;

/** A right network of the newest version, except where a subclass overrides it. */
abstract class WrongNewestCollNet extends NewestCollNet {

  WrongNewestCollNet() {
    super(new MemoryCollNet12());
  }
}
