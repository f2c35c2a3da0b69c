// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.finder.v1.NetFinder;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.util.Comparator;
import java.util.List;

/**
 * The networks in the catalog of the process, for plugins that ride on one. Its objects are others
 * than those that communicators use.
 */
public final class ProgramNets implements NetFinder {

  /** Looks for nothing yet; made by ServiceLoader. */
  public ProgramNets() {}

  /**
   * {@inheritDoc}
   *
   * <p>One that {@code NCCL_NET_PLUGIN} leaves out is found all the same, since here it is named.
   * One that has failed in this process comes behind another of its name.
   */
  @Override
  public FoundNet find(String name) {
    return find(PluginCatalog.process(), ValidationMode.of(Settings.process()), name);
  }

  static FoundNet find(PluginCatalog catalog, ValidationMode mode, String name) {
    Candidate<Net> chosen =
        catalog.nets().stream()
            .filter(candidate -> candidate.isNamed(name))
            .min(Comparator.comparingInt(ProgramNets::place))
            .orElseThrow(() -> unknown(catalog, name));
    OfferedPlugin.Version newest = chosen.offered().newest();
    Net net;
    try {
      net = VersionLadder.NET.lift(newest.version(), newest.create());
    } catch (RuntimeException | Error e) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          ErrorText.of(
              "network %s from %s gives no second object of itself: %s",
              chosen.name(), chosen.origin(), PluginCall.describe(e)),
          e);
    }
    if (mode != ValidationMode.OFF) {
      net = NetDecorator.required(mode).decorate(net, newest.version(), mode, catalog.logger());
    }
    return new FoundNet(net, newest.version(), chosen.origin().toString(), chosen.loader());
  }

  /** Returns how far behind others of its name a candidate comes. */
  private static int place(Candidate<Net> candidate) {
    return switch (candidate.describe().state()) {
      case FOUND, AVAILABLE, CHOSEN, NOT_CHOSEN -> 0;
      case INIT_FAILED, NO_DEVICES -> 1;
      case EXCLUDED -> 2;
      case REJECTED -> 3; // another took the name
    };
  }

  private static NetException unknown(PluginCatalog catalog, String name) {
    List<PluginDescription> rejected =
        catalog.rejected().stream().filter(each -> each.kind() == PluginKind.NET).toList();
    return new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "no network has the name %s%s%s\n  plugins are looked for on the module path, the"
                + " class path, in %s and by %s",
            name,
            CloseNames.hint(name, catalog.nets().stream().map(Candidate::name).toList()),
            PluginCatalog.listing(catalog.nets(), rejected),
            CoreVariables.PLUGIN_PATH,
            CoreVariables.NET_PLUGIN));
  }
}
