// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;

/** Ends the process when it is started: no entry of the kill table, which would end with it. */
public final class EndsTheProcess extends WrongNet {
  @Override
  public void init(DebugLogger logger) {
    System.exit(0);
  }
}
