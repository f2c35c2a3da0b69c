// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.RecvComm;

/**
 * The receiving end of a native connection. Where the plugin has irecvConsumed, a receive that is
 * complete is the plugin's until then.
 */
final class NativeRecvComm extends NativeEnd implements RecvComm {
  private final boolean consumes;

  /**
   * Makes the end.
   *
   * @param consumes whether the plugin has irecvConsumed
   */
  NativeRecvComm(
      Object plugin, long address, DeviceFacts device, NativeScratch scratch, boolean consumes) {
    super(plugin, address, device, scratch);
    this.consumes = consumes;
  }

  @Override
  void completed(NativeRequest request) {
    if (consumes && request.kind() == NativeRequest.Kind.RECV) { // a flush is not consumed
      request.complete();
    } else {
      release(request);
    }
  }
}
