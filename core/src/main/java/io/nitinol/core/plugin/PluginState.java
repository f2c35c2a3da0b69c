// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

/** How far a candidate has come. */
public enum PluginState {
  /** Loaded; {@code init} has not been called yet. */
  FOUND("found"),
  /** Could not be loaded, or its name is already taken by an earlier candidate. */
  REJECTED("rejected"),
  /** Found, but left out by {@code NCCL_NET_PLUGIN}. */
  EXCLUDED("excluded"),
  /** Its {@code init}, or a question about its devices, failed: disabled for this process. */
  INIT_FAILED("init failed"),
  /** Initialized without a device that can be used here: disabled for this process. */
  NO_DEVICES("no devices"),
  /** Initialized, with devices. */
  AVAILABLE("available"),
  /** Available, and the one that is taken. Only in a {@link SelectionPreview}. */
  CHOSEN("chosen"),
  /** Available, and another one is taken. Only in a {@link SelectionPreview}. */
  NOT_CHOSEN("not chosen");

  private final String label;

  PluginState(String label) {
    this.label = label;
  }

  /** Returns the words for messages and JSON, such as {@code init failed}. */
  public String label() {
    return label;
  }
}
