// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;

/** Tells whoever looks at the terminal. */
@Breaks("NET-INIT-07")
public final class PrintsWhatItDoes extends WrongNet {
  @Override
  public void init(DebugLogger logger) {
    net.init(logger);
    System.out.println("using " + net.devices() + " devices");
  }
}
