// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.SendComm;

/** The sending end of a native connection. */
final class NativeSendComm extends NativeEnd implements SendComm {
  NativeSendComm(Object plugin, long address, DeviceFacts device, NativeScratch scratch) {
    super(plugin, address, device, scratch);
  }
}
