// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The jars of one plugin, opened behind a loader of their own.
 *
 * <p>Where {@code io.nitinol.spi} is a module (Nitinol runs from the module path or a run-time
 * image), the jars become modules of a layer of their own, plain jars as automatic modules; module
 * boundaries inside the plugin hold, and a module that requires anything but {@code
 * io.nitinol.spi}, the toolkit, the JDK and the plugin's own modules is refused. Where {@code
 * io.nitinol.spi} is on the class path no layer can require it, so the jars become the class path
 * of the loader's unnamed module; what module descriptors declare as {@code provides} is honoured
 * all the same. Directories of classes without a module descriptor, and plain jars that bundle a
 * copy of the toolkit, are always loaded the second way. In both, {@link IsolatedLoader} decides
 * which classes the plugin sees.
 */
final class PluginUnit implements AutoCloseable {
  private static final Module SPI = NetException.class.getModule();
  private static final Module TOOLKIT = ErrorText.class.getModule();

  private final Path location;
  private final IsolatedLoader loader;
  private final List<ModuleDescriptor> descriptors;
  private final boolean layered;

  private PluginUnit(
      Path location, IsolatedLoader loader, List<ModuleDescriptor> descriptors, boolean layered) {
    this.location = location;
    this.loader = loader;
    this.descriptors = descriptors;
    this.layered = layered;
  }

  /**
   * Opens the plugin at {@code location}, a jar or a directory.
   *
   * @throws UnloadablePluginException with the reason when it cannot be opened
   */
  static PluginUnit open(Path location) throws UnloadablePluginException {
    List<Path> parts = PluginFiles.parts(location);
    List<ModuleDescriptor> descriptors = new ArrayList<>();
    for (Path part : parts) {
      descriptor(part).ifPresent(descriptors::add);
    }
    boolean classesOnly = Files.isDirectory(parts.getFirst()) && descriptors.isEmpty();
    boolean layered = SPI.isNamed() && !classesOnly && !bundlesToolkit(parts, descriptors);
    IsolatedLoader loader = new IsolatedLoader(PluginFiles.fileName(location), urls(parts));
    PluginUnit unit = new PluginUnit(location, loader, descriptors, layered);
    if (layered) {
      try {
        defineLayer(parts, loader);
      } catch (UnloadablePluginException | RuntimeException | LinkageError e) {
        UnloadablePluginException reason =
            e instanceof UnloadablePluginException already
                ? already
                : new UnloadablePluginException(PluginCall.describe(e), e);
        try {
          unit.close();
        } catch (IOException unclosed) {
          reason.addSuppressed(unclosed);
        }
        throw reason;
      }
    }
    return unit;
  }

  /**
   * Returns whether plain jars hold packages of the toolkit. An automatic module reads the host's
   * toolkit too, and no layer has a module with the same package from two sides.
   */
  private static boolean bundlesToolkit(List<Path> parts, List<ModuleDescriptor> descriptors) {
    if (descriptors.stream().anyMatch(each -> !each.name().equals(TOOLKIT.getName()))) {
      return false;
    }
    try {
      return ModuleFinder.of(parts.toArray(Path[]::new)).findAll().stream()
          .flatMap(reference -> reference.descriptor().packages().stream())
          .anyMatch(TOOLKIT.getPackages()::contains);
    } catch (FindException e) {
      return false; // the layer's reason is the one to report
    }
  }

  Path location() {
    return location;
  }

  ClassLoader loader() {
    return loader;
  }

  /**
   * Returns whether the plugin's classes are in modules of a layer, or else in an unnamed module.
   */
  boolean isLayered() {
    return layered;
  }

  /** Returns the explicit module descriptors among the plugin's jars. */
  List<ModuleDescriptor> descriptors() {
    return descriptors;
  }

  /** Frees the jars; for a plugin that is not used. */
  @Override
  public void close() throws IOException {
    loader.close();
  }

  /**
   * Makes a provider as ServiceLoader makes those of named modules: by its public static method
   * {@code provider()}, or else by its public constructor. For modular jars that are loaded as a
   * class path, where ServiceLoader does not look at their descriptor.
   *
   * @throws ServiceConfigurationError when {@code type} is no provider of {@code service} or fails
   */
  static Object create(Class<?> type, Class<?> service) {
    try {
      for (Method method : type.getMethods()) {
        if (method.getName().equals("provider")
            && method.getParameterCount() == 0
            && method.getDeclaringClass() == type
            && Modifier.isStatic(method.getModifiers())) {
          return service.cast(method.invoke(null));
        }
      }
      return service.cast(type.getConstructor().newInstance());
    } catch (InvocationTargetException e) {
      throw new ServiceConfigurationError(
          "Provider " + type.getName() + " could not be instantiated", e.getCause());
    } catch (NoSuchMethodException e) {
      throw new ServiceConfigurationError(
          "Provider " + type.getName() + " has no public constructor without parameters", e);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new ServiceConfigurationError(
          "Provider " + type.getName() + " is no usable provider of " + service.getName(), e);
    }
  }

  private static void defineLayer(List<Path> parts, IsolatedLoader loader)
      throws UnloadablePluginException {
    ModuleLayer host = Objects.requireNonNull(SPI.getLayer(), "layer of " + SPI.getName());
    ModuleFinder own = withoutSpi(ModuleFinder.of(parts.toArray(Path[]::new)));
    Set<String> roots =
        own.findAll().stream()
            .map(reference -> reference.descriptor().name())
            .collect(Collectors.toCollection(TreeSet::new));
    if (roots.isEmpty()) {
      throw new UnloadablePluginException("holds nothing but a copy of " + SPI.getName());
    }
    Configuration configuration = host.configuration().resolve(own, ModuleFinder.of(), roots);
    requireOnlySpi(own, host);
    ModuleLayer.Controller controller =
        ModuleLayer.defineModules(configuration, List.of(host), module -> loader);
    if (PluginUnit.class.getModule().isNativeAccessEnabled()) {
      // A user who allowed core to call native code and put a plugin on the path wants both.
      controller.layer().modules().forEach(controller::enableNativeAccess);
    }
  }

  /** Hides a copy of the interfaces among the plugin's jars: there is one, the host's. */
  private static ModuleFinder withoutSpi(ModuleFinder finder) {
    return new ModuleFinder() {
      @Override
      public Optional<ModuleReference> find(String name) {
        return name.equals(SPI.getName()) ? Optional.empty() : finder.find(name);
      }

      @Override
      public Set<ModuleReference> findAll() {
        return finder.findAll().stream()
            .filter(reference -> !reference.descriptor().name().equals(SPI.getName()))
            .collect(Collectors.toSet());
      }
    };
  }

  /**
   * A layer's parent holds core and the application too; what the loader hides must not resolve.
   */
  private static void requireOnlySpi(ModuleFinder own, ModuleLayer host)
      throws UnloadablePluginException {
    for (ModuleReference reference : own.findAll()) {
      ModuleDescriptor module = reference.descriptor();
      for (Requires requires : module.requires()) {
        String name = requires.name();
        if (requires.modifiers().contains(Requires.Modifier.STATIC)
            || own.find(name).isPresent()
            || host.findModule(name).filter(IsolatedLoader::sees).isPresent()) {
          continue;
        }
        throw new UnloadablePluginException(
            ErrorText.of(
                "module %s requires %s, which is hidden from plugins: they see %s,"
                    + " io.nitinol.toolkit, the JDK and what lies in their own directory",
                module.name(), name, SPI.getName()));
      }
    }
  }

  private static Optional<ModuleDescriptor> descriptor(Path part) throws UnloadablePluginException {
    try {
      if (Files.isDirectory(part)) {
        Path file = part.resolve("module-info.class");
        if (!Files.exists(file)) {
          return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
          return Optional.of(ModuleDescriptor.read(in));
        }
      }
      try (JarFile jar = new JarFile(part.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
        ZipEntry entry = jar.getEntry("module-info.class");
        if (entry == null) {
          return Optional.empty();
        }
        try (InputStream in = jar.getInputStream(entry)) {
          return Optional.of(ModuleDescriptor.read(in));
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new UnloadablePluginException(
          PluginFiles.fileName(part) + " is not a readable jar: " + PluginCall.describe(e), e);
    }
  }

  private static URL[] urls(List<Path> parts) throws UnloadablePluginException {
    URL[] urls = new URL[parts.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = parts.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new UnloadablePluginException("no URL for " + parts.get(i), e);
      }
    }
    return urls;
  }
}
