// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.CollComm;

/** A member's end of a native collective network group. */
final class NativeCollComm extends NativeEnd implements CollComm {
  NativeCollComm(Object plugin, long address, DeviceFacts device, NativeScratch scratch) {
    super(plugin, address, device, scratch);
  }
}
