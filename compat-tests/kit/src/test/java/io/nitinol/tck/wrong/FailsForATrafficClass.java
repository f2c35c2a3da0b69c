// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import org.jspecify.annotations.Nullable;

/** Takes a wish that it does not know for a failure of the system. */
@Breaks("NET-INIT-12")
public final class FailsForATrafficClass extends WrongNewestNet {
  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    if (config.trafficClass() != NetCommConfig.UNDEFINED) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "no class " + config.trafficClass());
    }
    return super.init(commId, config, logger, profiler);
  }
}
