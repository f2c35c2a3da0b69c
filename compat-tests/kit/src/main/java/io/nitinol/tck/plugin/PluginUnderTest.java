// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.plugin;

import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.MisspeltVariables;
import io.nitinol.core.plugin.OfferedPlugin;
import io.nitinol.core.plugin.OfferedPlugins;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.stream.Collectors;

/**
 * The plugin that the kit tests: the origin of its versions, and declarations of its author that
 * the interface cannot express. Immutable.
 *
 * <p>The kit makes instances of its own, in its process and in others that it starts. That is why
 * it takes classes or paths, not objects.
 */
public final class PluginUnderTest {

  /** A version of the plugin: the interface, and a factory for instances. */
  record Version(Kind kind, int number, Factory factory, boolean library) {}

  /** Makes an instance. */
  @FunctionalInterface
  interface Factory {
    Object create() throws Throwable;
  }

  private static final String CLASSES = "class:";
  private static final String INSTALLED = "installed:";
  private static final String BY_SETTINGS = "settings:";
  private static final String AT = "path:";

  /** The interfaces of all kinds, oldest first, as core's ladders list them. */
  private static final Map<Class<?>, Map.Entry<Kind, Integer>> INTERFACES = new LinkedHashMap<>();

  static {
    for (AdapterChain chain : AdapterChain.from(PluginKind.NET, Lane.OLDEST)) {
      INTERFACES.put(chain.service(), Map.entry(Kind.NET, chain.to()));
    }
    for (AdapterChain chain : AdapterChain.from(PluginKind.COLLNET, Lane.OLDEST)) {
      INTERFACES.put(chain.service(), Map.entry(Kind.COLLNET, chain.to()));
    }
    for (AdapterChain chain : AdapterChain.from(PluginKind.DEVICE, Lane.DEVICES)) {
      INTERFACES.put(chain.service(), Map.entry(Kind.DEVICE, chain.to()));
    }
  }

  /** For processes of the kit: the process's own log would read the settings. */
  private static final DebugLogger SILENT =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return false;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {}
      };

  private final String name;
  private final String origin;
  private final String reference;
  private final List<Version> versions;
  private final List<PluginDescription> rejected;
  private final boolean reachesProcesses;
  private final int receivingDevice;

  private PluginUnderTest(
      String name,
      String origin,
      String reference,
      List<Version> versions,
      List<PluginDescription> rejected,
      boolean reachesProcesses,
      int receivingDevice) {
    this.name = name;
    this.origin = origin;
    this.reference = reference;
    this.versions = List.copyOf(versions);
    this.rejected = List.copyOf(rejected);
    this.reachesProcesses = reachesProcesses;
    this.receivingDevice = receivingDevice;
  }

  /**
   * A plugin given by its provider classes, one for each version and kind that it offers.
   *
   * @param providers public classes with a public constructor without parameters, each of which
   *     implements a Net or CollNet interface of any version, or that of device providers
   * @throws IllegalArgumentException when there is none, or one implements no such interface
   */
  public static PluginUnderTest of(Class<?>... providers) {
    List<Version> versions = new ArrayList<>();
    for (Class<?> provider : providers) {
      int before = versions.size();
      INTERFACES.forEach((type, entry) -> {
        if (type.isAssignableFrom(provider)) {
          versions.add(
              new Version(entry.getKey(), entry.getValue(), () -> construct(provider), false));
        }
      });
      if (versions.size() == before) {
        throw new IllegalArgumentException(
            provider.getName()
                + " implements no interface of networks or devices that this kit knows");
      }
    }
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("a plugin to test has at least one provider class");
    }
    String reference =
        CLASSES + Arrays.stream(providers).map(Class::getName).collect(Collectors.joining(","));
    return new PluginUnderTest(
        providers[0].getSimpleName(),
        providers[0].getName(),
        reference,
        versions,
        List.of(),
        true,
        0);
  }

  /**
   * A plugin that Nitinol finds by its name, in any case: on the module path, the class path and in
   * {@code NITINOL_PLUGIN_PATH}, with the settings of this process.
   *
   * @throws NetException INVALID_USAGE when there is none; the message lists what was found
   */
  public static PluginUnderTest named(String name) {
    List<OfferedPlugin> offered = OfferedPlugins.named(Settings.process(), Log.process(), name);
    MisspeltVariables.tell();
    return of(offered, reference(offered));
  }

  /** Refers to the plugin by its place, so that another process finds it without the settings. */
  private static String reference(List<OfferedPlugin> offered) {
    String name = offered.getFirst().name();
    if (offered.stream().allMatch(plugin -> plugin.origin().application())) {
      return INSTALLED + name;
    }
    String location = offered.getFirst().origin().location();
    return offered.stream().allMatch(plugin -> plugin.origin().location().equals(location))
        ? AT + location + "\n" + name // no name has such a character
        : BY_SETTINGS + name;
  }

  /**
   * The plugin in a jar, a directory of jars or a directory of classes: its Net, its CollNet, its
   * devices, or several of them.
   *
   * @throws NetException INVALID_USAGE when it cannot be opened, or holds several plugins of one
   *     kind; the message says why
   */
  public static PluginUnderTest at(Path jarOrDirectory) {
    Path path = jarOrDirectory.toAbsolutePath().normalize();
    List<OfferedPlugin> offered = OfferedPlugins.at(path, Log.process());
    MisspeltVariables.tell();
    requireOne(path, offered);
    return of(offered, AT + path);
  }

  private static void requireOne(Path path, List<OfferedPlugin> offered) {
    if (offered.stream().map(OfferedPlugin::kind).distinct().count() < offered.size()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s holds several plugins of one kind: %s; put it into"
                  + " NITINOL_PLUGIN_PATH and name one of them",
              path, offered.stream().map(OfferedPlugin::name).collect(Collectors.joining(", "))));
    }
  }

  private static PluginUnderTest of(List<OfferedPlugin> offered, String reference) {
    List<Version> versions = new ArrayList<>();
    List<PluginDescription> rejected = new ArrayList<>();
    for (OfferedPlugin plugin : offered) {
      Kind kind = Kind.of(plugin.kind());
      for (OfferedPlugin.Version version : plugin.versions()) {
        boolean library = !version.implementation().equals(version.provider().getName());
        versions.add(new Version(kind, version.version(), () -> create(version), library));
      }
      rejected.addAll(plugin.rejected());
    }
    return new PluginUnderTest(
        offered.getFirst().name(),
        offered.getFirst().origin().toString(),
        reference,
        versions,
        rejected,
        true,
        0);
  }

  /**
   * Declares that the network reaches its own process only, as one over plain Java memory does.
   * Then the kit starts no peers in other processes, except to check that they are refused.
   */
  public PluginUnderTest withinProcess() {
    return new PluginUnderTest(name, origin, reference, versions, rejected, false, receivingDevice);
  }

  /**
   * Makes device 0 send to another device, and not to itself, in tests that are not about devices.
   * So messages cross the wire between the two.
   *
   * @throws IllegalArgumentException when the device is negative
   */
  public PluginUnderTest receivingOn(int device) {
    if (device < 0) {
      throw new IllegalArgumentException("device " + device + ": expected 0 or more");
    }
    return new PluginUnderTest(
        name, origin, reference, versions, rejected, reachesProcesses, device);
  }

  /** Returns the name for reports: the plugin's own, or that of its first class. */
  public String name() {
    return name;
  }

  /** Returns its origin, human-readable: its module and jar, or its first class. */
  public String origin() {
    return origin;
  }

  /**
   * Returns the providers in the plugin's jar or directory that could not be loaded, with the
   * reasons; empty for a plugin that was given by its classes.
   */
  public List<PluginDescription> rejected() {
    return rejected;
  }

  /** Returns the device that device 0 sends to in tests that are not about devices. */
  public int receivingDevice() {
    return receivingDevice;
  }

  /** Returns whether the network reaches other processes of this host. */
  public boolean reachesProcesses() {
    return reachesProcesses;
  }

  /**
   * Returns a text by which another process of the kit finds the same plugin: see {@link
   * #ofReference}.
   */
  public String reference() {
    return reference;
  }

  /** Returns whether another process has to read the settings before it finds the plugin. */
  public boolean isFoundBySettings() {
    return reference.startsWith(BY_SETTINGS);
  }

  /**
   * Finds the plugin that another process of the kit named.
   *
   * @param reference what {@link #reference} returned there
   * @throws IllegalArgumentException when a class is not found here
   * @throws NetException when a name or a path leads to no plugin here
   */
  public static PluginUnderTest ofReference(String reference) {
    if (reference.startsWith(BY_SETTINGS)) {
      return named(reference.substring(BY_SETTINGS.length()));
    }
    if (reference.startsWith(INSTALLED)) {
      String name = reference.substring(INSTALLED.length());
      return of(OfferedPlugins.named(Settings.of(Map.of()), SILENT, name), reference);
    }
    if (reference.startsWith(AT)) {
      String[] place = reference.substring(AT.length()).split("\n", 2);
      List<OfferedPlugin> offered = new ArrayList<>(OfferedPlugins.at(Path.of(place[0]), SILENT));
      if (place.length == 2) {
        offered.removeIf(plugin -> !plugin.name().equalsIgnoreCase(place[1]));
      }
      return of(offered, reference);
    }
    if (!reference.startsWith(CLASSES)) {
      throw new IllegalArgumentException("no plugin reference: " + reference);
    }
    List<Class<?>> classes = new ArrayList<>();
    for (String name : reference.substring(CLASSES.length()).split(",", -1)) {
      try {
        classes.add(Class.forName(name));
      } catch (ClassNotFoundException e) {
        throw new IllegalArgumentException("the provider class " + name + " is not here", e);
      }
    }
    return of(classes.toArray(Class<?>[]::new));
  }

  /** Returns every lane to the plugin, for each version that it offers. */
  public List<Lane> lanes() {
    List<Lane> lanes = new ArrayList<>();
    for (Version version : versions) {
      for (int presented : Lane.presentations(version.kind(), version.number())) {
        Lane lane = new Lane(version.kind(), version.number(), presented);
        if (!lanes.contains(lane)) {
          lanes.add(lane);
        }
      }
    }
    return lanes;
  }

  /**
   * Makes a new instance of the version at the start of a lane.
   *
   * @throws Throwable whatever the plugin's constructor threw
   */
  public Object create(Lane lane) throws Throwable {
    for (Version version : versions) {
      if (version.kind() == lane.kind() && version.number() == lane.provided()) {
        return version.factory().create();
      }
    }
    throw new IllegalArgumentException("the plugin has no version for " + lane);
  }

  /** Returns whether a native library implements {@code lane}'s version, and no class does. */
  public boolean isLibrary(Lane lane) {
    return versions.stream()
        .anyMatch(v -> v.kind() == lane.kind() && v.number() == lane.provided() && v.library());
  }

  private static Object create(OfferedPlugin.Version version) throws Throwable {
    try {
      return version.create();
    } catch (ServiceConfigurationError e) {
      throw e.getCause() != null ? e.getCause() : e;
    }
  }

  private static Object construct(Class<?> provider) throws Throwable {
    Constructor<?> constructor = provider.getConstructor();
    try {
      return constructor.newInstance();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
