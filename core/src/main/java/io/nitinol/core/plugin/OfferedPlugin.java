// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;

/**
 * A plugin as it offers itself, with every version of it and before any adapter: what a conformance
 * test looks at, where an application would use a {@link PluginCatalog}.
 *
 * @param kind what it is for
 * @param name its name, as its newest version spells it
 * @param origin where it comes from
 * @param versions what it offers under this name at this origin, oldest first; never empty
 * @param loader the loader of its newest version's class: one of its own for a plugin from a jar or
 *     directory, the application's for one on the module path or class path
 * @param rejected what the same origin offers besides, of the same kind, and could not be loaded,
 *     with the reasons: a version of this very plugin may be among it
 */
public record OfferedPlugin(
    PluginKind kind,
    String name,
    PluginOrigin origin,
    List<Version> versions,
    ClassLoader loader,
    List<PluginDescription> rejected) {

  /** Copies the lists. */
  public OfferedPlugin {
    versions = List.copyOf(versions);
    rejected = List.copyOf(rejected);
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("plugin " + name + " from " + origin + " has no version");
    }
  }

  /** Returns the version that core would take. */
  public Version newest() {
    return versions.getLast();
  }

  /**
   * One interface version that a plugin offers, and the way to make objects of it.
   *
   * @param version the number of the version, such as 6
   * @param service the interface of this version, such as {@code io.nitinol.spi.net.v12.Net}
   * @param provider the plugin's class that provides it
   * @param factory makes objects; {@link #create} is the way to call it
   * @param implementation the name that users know the implementation by: that of the class, or the
   *     symbol that a native library exports, such as {@code ncclNetPlugin_v8}
   */
  public record Version(
      int version,
      Class<?> service,
      Class<?> provider,
      Supplier<?> factory,
      String implementation) {

    /**
     * Makes a new object, not initialized and in no adapter, as discovery makes it (SEL-01): by the
     * static method {@code provider()} of a module's provider, or else by its public constructor.
     * The plugin's own loader is the thread's context loader meanwhile.
     *
     * @return an instance of {@link #service}, the caller's own
     * @throws ServiceConfigurationError when the provider fails; its cause is what the plugin threw
     */
    public Object create() {
      return PluginCall.with(provider.getClassLoader(), () -> service.cast(factory.get()));
    }

    /** Returns the version and the implementation: {@code v6 (net.foo.Foo)}. */
    @Override
    public String toString() {
      return "v" + version + " (" + implementation + ")";
    }
  }
}
