// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.function.Supplier;

/**
 * One provider object that discovery found.
 *
 * @param version the interface version it implements
 * @param plugin the object, lifted to the newest version
 * @param name what it says its name is
 * @param provider its class
 * @param factory makes a further object of it, as it is
 * @param implementation what people know its class by, which is the symbol for a native plugin
 * @param origin where it comes from
 * @param <P> the newest version's interface
 */
record Provided<P>(
    int version,
    P plugin,
    String name,
    Class<?> provider,
    Supplier<?> factory,
    String implementation,
    PluginOrigin origin) {

  /** A provider that people know by its class. */
  Provided(
      int version,
      P plugin,
      String name,
      Class<?> provider,
      Supplier<?> factory,
      PluginOrigin origin) {
    this(version, plugin, name, provider, factory, provider.getName(), origin);
  }
}
