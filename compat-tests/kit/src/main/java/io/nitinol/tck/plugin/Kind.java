// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.plugin;

/** The kinds of plugin that the contract covers. */
public enum Kind {
  /** Point-to-point networks. */
  NET("net"),
  /** Networks that reduce. */
  COLLNET("collnet");

  private final String label;

  Kind(String label) {
    this.label = label;
  }

  /** Returns the name of the kind in lower case, as in the SPI's package names. */
  public String label() {
    return label;
  }
}
