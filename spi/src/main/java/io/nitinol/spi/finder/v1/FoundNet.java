// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.finder.v1;

import io.nitinol.spi.net.v12.Net;
import org.jspecify.annotations.Nullable;

/**
 * A network plugin that was found, seen as version 12 whatever it implements itself.
 *
 * @param net the plugin, a new object that is not initialized
 * @param version the version that it implements, such as 6
 * @param origin where it comes from, human-readable: a jar, a module or a native library
 * @param loader the plugin's class loader, which is to be the thread's context loader while {@code
 *     init} and {@code finalize} are called; null is the boot loader
 */
public record FoundNet(Net net, int version, String origin, @Nullable ClassLoader loader) {
  private static final int LAST_THAT_WAITS = 4;

  /**
   * Returns whether {@code connect} and {@code accept} may wait for the peer, as version 4 may
   * (NET-V4-02): then they need threads of their own.
   *
   * @return false where both return at once
   */
  public boolean mayWait() {
    return version <= LAST_THAT_WAITS;
  }

  /**
   * Returns which plugin it is, human-readable.
   *
   * @return such as {@code SampleV5 (v5, from /opt/plugins/v5.jar)}
   */
  @Override
  public String toString() {
    return net.name() + " (v" + version + ", from " + origin + ")";
  }
}
