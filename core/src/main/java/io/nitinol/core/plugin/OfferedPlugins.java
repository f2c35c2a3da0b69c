// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds plugins as they are, for the conformance kit: all versions of one, and new objects of each.
 * Discovery is the same as for {@link PluginCatalog}, and every call makes one: the classes of
 * plugins from jars and directories are loaded anew, and stay for the life of the process.
 */
public final class OfferedPlugins {
  private OfferedPlugins() {}

  /**
   * Finds a plugin by its name, in any case: on the module path, the class path, in {@code
   * NITINOL_PLUGIN_PATH} and at paths in {@code NCCL_NET_PLUGIN}. One that {@code NCCL_NET_PLUGIN}
   * leaves out is found all the same, since here it is named; but {@code none} opens nothing, as
   * ever.
   *
   * @param settings where the variables are read
   * @param logger the log of discovery
   * @return the Net of this name that a selection would reach first, then the CollNet of this name,
   *     of the same origin if there is one, then the device provider of this name; one to three
   *     elements
   * @throws NetException INVALID_USAGE when no plugin has this name; the message lists what was
   *     found, and what was rejected and why
   */
  public static List<OfferedPlugin> named(Settings settings, DebugLogger logger, String name) {
    PluginCatalog catalog = PluginCatalog.discover(settings, logger);
    MisspeltVariables.note(catalog.variables());
    List<OfferedPlugin> offered = new ArrayList<>();
    // A name that another place has taken is met again later in the list, as rejected.
    List<Candidate<?>> nets = new ArrayList<>(catalog.nets());
    nets.removeIf(net -> !net.isNamed(name));
    first(nets, offered);
    String location = offered.isEmpty() ? "" : offered.getFirst().origin().location();
    List<Candidate<?>> collNets = new ArrayList<>();
    for (Candidate<?> collNet : catalog.all(VersionLadder.COLLNET)) {
      if (collNet.isNamed(name)) {
        boolean beside = collNet.origin().location().equals(location);
        collNets.add(beside ? 0 : collNets.size(), collNet);
      }
    }
    first(collNets, offered);
    List<Candidate<?>> devices = new ArrayList<>(catalog.all(VersionLadder.DEVICE));
    devices.removeIf(provider -> !provider.isNamed(name));
    first(devices, offered);
    if (offered.isEmpty()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "no plugin has the name %s%s%s\n  plugins are looked for on the module path, the"
                  + " class path and in %s",
              name,
              CloseNames.hint(name, candidates(catalog).map(Candidate::name).toList()),
              listing(catalog),
              CoreVariables.PLUGIN_PATH));
    }
    return offered;
  }

  /**
   * Opens a jar, a directory of jars or a directory of classes as one plugin, behind a loader of
   * its own, as discovery does for an element of {@code NITINOL_PLUGIN_PATH}.
   *
   * @param logger the log of discovery
   * @return all that it offers: the Nets, then the CollNets, then the device providers; never empty
   * @throws NetException INVALID_USAGE when it cannot be opened or offers no usable plugin; the
   *     message says why, provider by provider
   */
  public static List<OfferedPlugin> at(Path jarOrDirectory, DebugLogger logger) {
    Path location = jarOrDirectory.toAbsolutePath().normalize();
    PluginCatalog catalog = Discovery.only(location, logger);
    MisspeltVariables.note(catalog.variables());
    List<OfferedPlugin> offered = candidates(catalog).map(Candidate::offered).toList();
    if (offered.isEmpty()) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "no plugin can be loaded from " + location + listing(catalog));
    }
    return offered;
  }

  private static Stream<Candidate<?>> candidates(PluginCatalog catalog) {
    return Stream.of(
            catalog.nets(), catalog.all(VersionLadder.COLLNET), catalog.all(VersionLadder.DEVICE))
        .flatMap(List::stream);
  }

  /** Adds the first one that is not out, or else the first. */
  private static void first(List<Candidate<?>> named, List<OfferedPlugin> into) {
    for (Candidate<?> candidate : named) {
      if (!candidate.isOut()) {
        into.add(candidate.offered());
        return;
      }
    }
    if (!named.isEmpty()) {
      into.add(named.getFirst().offered());
    }
  }

  private static String listing(PluginCatalog catalog) {
    return PluginCatalog.listing(candidates(catalog).toList(), catalog.rejected());
  }
}
