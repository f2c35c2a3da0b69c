// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;

/** Adds to its name what it learns in init. */
@Breaks("SEL-02")
public final class RenamesItselfInInit extends WrongNet {
  private volatile String suffix = "";

  @Override
  public String name() {
    return net.name() + suffix;
  }

  @Override
  public void init(DebugLogger logger) {
    net.init(logger);
    suffix = "/" + net.devices();
  }
}
