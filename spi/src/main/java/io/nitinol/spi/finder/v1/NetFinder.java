// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.finder.v1;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the network plugins of this program for a plugin that moves its bytes by one of them: those
 * of the module and class path, those of {@code NITINOL_PLUGIN_PATH} and the native ones, whatever
 * version they implement. Nitinol's core provides it. Safe for any thread.
 */
public interface NetFinder {

  /**
   * Makes a new object of a network plugin, which is the caller's own: no other caller uses it, and
   * it is not initialized. The plugins that are not asked for are left alone. A plugin asks from
   * its {@code init} on: while it is made or asked for its name, plugins are still being looked
   * for.
   *
   * @param name the plugin's name, in any case
   * @return of the plugins with this name the one that the program itself would try first
   * @throws NetException with INVALID_USAGE when there is none of this name; the message lists
   *     those there are, and what was rejected and why; or when it is too early
   */
  FoundNet find(String name);

  /**
   * Returns the finder of this program, wherever the calling plugin was loaded from.
   *
   * @return null where nothing provides one: a plugin is used with the interfaces alone
   * @throws NetException with INTERNAL_ERROR when there is one that cannot be loaded
   */
  static @Nullable NetFinder ofProgram() {
    try {
      return ServiceLoader.load(NetFinder.class, NetFinder.class.getClassLoader())
          .findFirst()
          .orElse(null);
    } catch (ServiceConfigurationError e) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          "the finder of network plugins cannot be loaded: " + e.getMessage(),
          e);
    }
  }
}
