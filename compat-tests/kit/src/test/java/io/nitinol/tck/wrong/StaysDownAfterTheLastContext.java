// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import org.jspecify.annotations.Nullable;

/** Shuts down with its last context, and for good. */
@Breaks("NET-INIT-08")
public final class StaysDownAfterTheLastContext extends WrongNewestNet {
  private int open;
  private boolean down;

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    if (down) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "shut down");
    }
    open++;
    return super.init(commId, config, logger, profiler);
  }

  @Override
  public void finalizeContext(NetContext context) {
    super.finalizeContext(context);
    down = --open == 0;
  }
}
