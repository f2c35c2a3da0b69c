// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.Addresses;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of one plugin from a jar or directory: it sees the JDK, the plugin's own jars
 * and the host's {@code io.nitinol.spi}, and neither core nor the application nor another plugin.
 * The host's {@code io.nitinol.toolkit} it sees where its own jars hold no copy. It keeps versions
 * of libraries apart and plugins honest; it is no defence against hostile code.
 *
 * <p>The same loader serves both ways of loading ({@link PluginUnit}): for a module layer it
 * defines the classes of all the layer's modules, for a class path those of its unnamed module.
 */
final class IsolatedLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String SPI = "io.nitinol.spi.";
  private static final String TOOLKIT = "io.nitinol.toolkit.";

  private final ClassLoader host =
      Objects.requireNonNull(
          NetException.class.getClassLoader(), "loader of the plugin interfaces");

  /**
   * Creates the loader.
   *
   * @param name what stack traces call it
   * @param jars the plugin's jars or class directories
   */
  IsolatedLoader(String name, URL[] jars) {
    super(name, jars, ClassLoader.getPlatformClassLoader());
  }

  /** Returns whether plugins may use the classes of a host's module. */
  static boolean sees(Module module) {
    ClassLoader of = module.getClassLoader();
    String name = String.valueOf(module.getName());
    return of == null
        || of.equals(ClassLoader.getPlatformClassLoader())
        || name.startsWith("jdk.") // some of the JDK's modules are the application loader's
        || module.equals(NetException.class.getModule())
        || module.equals(Addresses.class.getModule());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(SPI)) {
      // Also where the plugin's jars hold a copy: a second Net would be another type than ours.
      return host.loadClass(name);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> found = findLoadedClass(name);
      if (found == null && !name.startsWith(TOOLKIT)) { // the platform loader knows that one too
        found = findInJdk(name);
      }
      if (found == null) {
        found = findOwn(name);
      }
      if (resolve) {
        resolveClass(found);
      }
      return found;
    }
  }

  /**
   * Takes the plugin's own class first, so that a bundled copy of the toolkit wins over the host's.
   */
  private Class<?> findOwn(String name) throws ClassNotFoundException {
    try {
      return findClass(name);
    } catch (ClassNotFoundException e) {
      if (name.startsWith(TOOLKIT)) {
        return host.loadClass(name);
      }
      throw e;
    }
  }

  /**
   * Asks the platform loader, and does not believe all it says: it knows the packages of every
   * module of the boot layer, and finds core and the application for any class that asks.
   */
  private @Nullable Class<?> findInJdk(String name) {
    try {
      Class<?> found = getParent().loadClass(name);
      return sees(found.getModule()) ? found : null;
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Finds a class of one of the layer's modules; what ServiceLoader asks for named providers. */
  @Override
  protected @Nullable Class<?> findClass(@Nullable String moduleName, String name) {
    try {
      Class<?> found = findClass(name);
      return Objects.equals(found.getModule().getName(), moduleName) ? found : null;
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Finds a resource of one of the layer's modules; what Class.getResource asks in a module. */
  @Override
  protected @Nullable URL findResource(@Nullable String moduleName, String name)
      throws IOException {
    return findResource(name);
  }
}
