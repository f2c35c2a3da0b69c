// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.RecvComm;

/** The receiving end of a native connection. */
final class NativeRecvComm extends NativeEnd implements RecvComm {
  NativeRecvComm(Object plugin, long address, DeviceFacts device, Scratch scratch) {
    super(plugin, address, device, scratch);
  }
}
