// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.ServiceConfigurationError;
import java.util.function.Supplier;

/** One interface version that a plugin offers, and the way to make objects of it. */
public final class OfferedVersion {
  private final int version;
  private final Class<?> service;
  private final Class<?> provider;
  private final Supplier<?> factory;
  private final String implementation;

  /** A version that people know by its class. */
  OfferedVersion(int version, Class<?> service, Class<?> provider, Supplier<?> factory) {
    this(version, service, provider, factory, provider.getName());
  }

  OfferedVersion(
      int version,
      Class<?> service,
      Class<?> provider,
      Supplier<?> factory,
      String implementation) {
    this.version = version;
    this.service = service;
    this.provider = provider;
    this.factory = factory;
    this.implementation = implementation;
  }

  /** Returns the number of the version, such as 6. */
  public int version() {
    return version;
  }

  /** Returns the interface of this version, such as {@code io.nitinol.spi.net.v12.Net}. */
  public Class<?> service() {
    return service;
  }

  /** Returns the plugin's class that provides it. */
  public Class<?> provider() {
    return provider;
  }

  /**
   * Returns what people know the implementation by: the name of the class, or the symbol that a
   * native library exports, such as {@code ncclNetPlugin_v8}.
   */
  public String implementation() {
    return implementation;
  }

  /**
   * Makes a new object, not initialized and in no adapter, as discovery makes it (SEL-01): by the
   * static method {@code provider()} of a module's provider, or else by its public constructor. The
   * plugin's own loader is the thread's context loader meanwhile.
   *
   * @return an instance of {@link #service}, the caller's own
   * @throws ServiceConfigurationError when the provider fails; its cause is what the plugin threw
   */
  public Object create() {
    return ContextLoader.with(provider.getClassLoader(), () -> service.cast(factory.get()));
  }

  /** Returns the version and the implementation: {@code v6 (net.foo.Foo)}. */
  @Override
  public String toString() {
    return "v" + version + " (" + implementation + ")";
  }
}
