// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import org.jspecify.annotations.Nullable;

/** A jar or directory that cannot be loaded as a plugin; the message is the reason. */
final class UnloadablePluginException extends Exception {
  private static final long serialVersionUID = 1L;

  UnloadablePluginException(String reason) {
    this(reason, null);
  }

  UnloadablePluginException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }
}
