// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does not notice that a context was finalized. */
@Breaks("NET-INIT-11")
public final class WorksInDeadContexts extends WrongNewestNet {
  private final Set<NetContext> dead = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable NetContext spare;

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    if (spare == null) {
      spare = super.init(0, config, logger, null);
    }
    return super.init(commId, config, logger, profiler);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    return super.listen(dead.contains(context) ? spare : context, device, handle);
  }

  @Override
  public void finalizeContext(NetContext context) {
    super.finalizeContext(context);
    dead.add(context);
  }
}
