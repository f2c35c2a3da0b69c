// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import io.nitinol.net.nativeabi.ffi.TunerFunction;
import io.nitinol.net.nativeabi.plugin.NativePlugin;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.tuner.v1.CommShape;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;

/**
 * A native tuner. What it does wrong costs it its say and nothing else: where {@code getCollInfo}
 * fails, NCCL's interface promises the default tuning.
 */
final class NativeTuner implements Tuner {
  private final NativePlugin<TunerFunction> plugin;

  NativeTuner(NativePlugin<TunerFunction> plugin) {
    this.plugin = plugin;
  }

  @Override
  public String name() {
    return plugin.name();
  }

  @Override
  public Context init(int ranks, int nodes, DebugLogger logger) {
    int fewest = ranks / nodes;
    return init(new CommShape(0, ranks, nodes, fewest, ranks - fewest * (nodes - 1)), logger);
  }

  @Override
  public Context init(CommShape shape, DebugLogger logger) {
    return TunerContext.begin(plugin, shape, logger);
  }

  @Override
  public void tune(
      Context context, Collective collective, long bytes, int operations, CostTable table) {
    ((TunerContext) context).tune(collective, bytes, operations, table);
  }

  @Override
  public void destroy(Context context) {
    ((TunerContext) context).destroy();
  }
}
