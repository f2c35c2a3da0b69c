// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.util.concurrent.atomic.AtomicInteger;

/** Shows one device fewer from the second time on. */
@Breaks("NET-DEV-01")
public final class LosesADevice extends WrongNet {
  private final AtomicInteger calls = new AtomicInteger();

  @Override
  public int devices() {
    return calls.getAndIncrement() == 0 ? net.devices() : net.devices() - 1;
  }
}
