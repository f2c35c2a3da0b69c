// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.nitinol.net.nativeabi.ffi.CommConfigLayout;
import io.nitinol.spi.net.NetCommConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The configurations of communicators, as C structs. Plugins may keep the pointer, so a struct is
 * never freed; there is one for each different content.
 */
final class CommConfigs {
  private static final Map<NetCommConfig, MemorySegment> STRUCTS = new ConcurrentHashMap<>();

  private CommConfigs() {}

  static long address(NetCommConfig config) {
    return STRUCTS
        .computeIfAbsent(
            config,
            asked -> {
              MemorySegment struct = Arena.global().allocate(CommConfigLayout.BYTES, 8);
              struct.set(JAVA_INT, CommConfigLayout.TRAFFIC_CLASS, asked.trafficClass());
              return struct;
            })
        .address();
  }
}
