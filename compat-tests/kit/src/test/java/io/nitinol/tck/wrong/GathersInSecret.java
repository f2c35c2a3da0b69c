// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.OptionalOperation;

/** Gathers and says that it cannot. */
@Breaks("COLL-26")
public final class GathersInSecret extends WrongNewestCollNet {
  @Override
  public boolean supports(OptionalOperation operation) {
    return operation != OptionalOperation.ALL_GATHER && super.supports(operation);
  }
}
