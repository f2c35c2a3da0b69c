// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a selection would do, with everything probed.
 *
 * @param plugins all candidates in the order in which they are tried, then what was rejected
 * @param failure the message a selection would fail with, or null where one is chosen
 */
public record SelectionPreview(List<PluginDescription> plugins, @Nullable String failure) {

  /** Copies the list. */
  public SelectionPreview {
    plugins = List.copyOf(plugins);
  }
}
