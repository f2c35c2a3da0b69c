// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.CommConfigLayout;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of hosts up to version 10, which initialize a plugin once and know none. Version 10
 * names a traffic class with each connection, so there is a context for each that was named.
 */
final class NetContexts {
  private static final Map<NetCommConfig, NetContext> CONTEXTS = new HashMap<>();
  private static @Nullable NetProfiler profiler;

  private NetContexts() {}

  /** Makes the first context; {@code events}, unless null, takes the plugin's events from now. */
  static synchronized void start(@Nullable NetProfiler events) {
    if (events != null) {
      profiler = events;
    }
    of(NetCommConfig.DEFAULT);
  }

  /** Returns the context for connections with a configuration. */
  static synchronized NetContext of(NetCommConfig config) {
    NetContext context = CONTEXTS.get(config);
    if (context == null) {
      context = Exported.select(0).begin(0, config, profiler).context(); // for ever
      CONTEXTS.put(config, context);
    }
    return context;
  }

  /** Reads an {@code ncclNetCommConfig_v10_t}, which may be null. */
  static NetCommConfig config(long address) {
    return address == 0
        ? NetCommConfig.DEFAULT
        : new NetCommConfig(NcclMemory.getInt(address + CommConfigLayout.TRAFFIC_CLASS));
  }
}
