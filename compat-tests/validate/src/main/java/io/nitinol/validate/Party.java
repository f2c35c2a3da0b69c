// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

/** The side that broke a rule. */
public enum Party {
  /** The code that calls the plugin: core, or an application that brings its own code. */
  CALLER("the caller"),
  /** The plugin. */
  PLUGIN("the plugin"),
  /** One of the two; what was seen does not tell which. */
  EITHER("the caller or the plugin");

  private final String label;

  Party(String label) {
    this.label = label;
  }

  /** Returns the party in words, for a sentence. */
  public String label() {
    return label;
  }
}
