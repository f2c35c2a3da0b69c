// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import org.jspecify.annotations.Nullable;

/** Gives every communicator the same context. */
@Breaks(value = "NET-INIT-09", also = "NET-INIT-11")
public final class OneContextForAll extends WrongNewestNet {
  private @Nullable NetContext one;

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    if (one == null) {
      one = super.init(commId, config, logger, profiler);
    }
    return one;
  }

  @Override
  public void finalizeContext(NetContext context) {
    if (context != one) {
      super.finalizeContext(context);
    }
  }
}
