// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.plugin;

import io.nitinol.core.plugin.PluginKind;

/** The kinds of plugin that the contract covers. */
public enum Kind {
  /** Point-to-point networks. */
  NET("net", PluginKind.NET, "NET-ERR-01"),
  /** Networks that reduce. */
  COLLNET("collnet", PluginKind.COLLNET, "NET-ERR-01"),
  /** Kinds of device. */
  DEVICE("device", PluginKind.DEVICE, "DEV-12");

  private final String label;
  private final PluginKind inCore;
  private final String errors;

  Kind(String label, PluginKind inCore, String errors) {
    this.label = label;
    this.inCore = inCore;
    this.errors = errors;
  }

  /** Returns the name of the kind in lower case, as in the SPI's package names. */
  public String label() {
    return label;
  }

  /** Returns the name that core has for the kind. */
  public PluginKind inCore() {
    return inCore;
  }

  /** Returns the name of the exception that the contract allows; devices have one of their own. */
  public String exception() {
    return this == DEVICE ? "DeviceException" : "NetException";
  }

  /** Returns the rule that a call breaks which throws anything but that exception. */
  public String errorRule() {
    return errors;
  }

  /**
   * Returns the kind that core calls so.
   *
   * @throws IllegalArgumentException for a kind without a part in the contract
   */
  static Kind of(PluginKind inCore) {
    for (Kind kind : values()) {
      if (kind.inCore == inCore) {
        return kind;
      }
    }
    throw new IllegalArgumentException("the contract has no rules for plugins: " + inCore);
  }
}
