// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.net.v12.NetProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one candidate at one moment, as reports show it. Immutable.
 *
 * @param kind what it is for; {@link PluginKind#NET} where a broken plugin does not tell
 * @param name its name, or the name of its file where it could not be asked
 * @param versions the interface versions it offers, oldest first; empty where not known
 * @param version the version that is taken, the newest; 0 where there is none
 * @param adapters the steps that lift it to the newest version, such as {@code v4->v5}
 * @param providerClass its class, or the symbol of a native plugin; null where not known
 * @param origin where it comes from
 * @param state how far it has come
 * @param reason why it is not available or not chosen; null where there is nothing to say
 * @param devices its devices; empty before {@code init}
 */
public record PluginDescription(
    PluginKind kind,
    String name,
    List<Integer> versions,
    int version,
    List<String> adapters,
    @Nullable String providerClass,
    PluginOrigin origin,
    PluginState state,
    @Nullable String reason,
    List<NetProperties> devices) {

  /** Copies the lists. */
  public PluginDescription {
    versions = List.copyOf(versions);
    adapters = List.copyOf(adapters);
    devices = List.copyOf(devices);
  }

  /**
   * Returns the state and the reason for it, human-readable; the reason may begin with the state.
   */
  public String outcome() {
    if (reason == null || reason.startsWith(state.label())) {
      return reason == null ? state.label() : reason;
    }
    return state.label() + ": " + reason;
  }

  /** Returns the same description with another state and reason. */
  PluginDescription with(PluginState newState, @Nullable String newReason) {
    return new PluginDescription(
        kind,
        name,
        versions,
        version,
        adapters,
        providerClass,
        origin,
        newState,
        newReason,
        devices);
  }

  /** Returns the description of something that could not become a candidate. */
  static PluginDescription rejected(
      PluginKind kind,
      String name,
      @Nullable String providerClass,
      PluginOrigin origin,
      String reason) {
    return new PluginDescription(
        kind,
        name,
        List.of(),
        0,
        List.of(),
        providerClass,
        origin,
        PluginState.REJECTED,
        reason,
        List.of());
  }
}
