// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener which plugin is called while plugins are looked for and tried, so that one which
 * ends the process or does not return can be named. Calls for a communicator's data are not told.
 */
@AnyThread
public final class PluginWatch {
  private static volatile @Nullable Consumer<String> listener;
  private static volatile String current = "";

  private PluginWatch() {}

  /**
   * Names the listener of this process.
   *
   * @param told is called by the thread that calls the plugin, with the call and the plugin's name
   *     and origin before the call, and with an empty text after it
   */
  public static void listen(Consumer<String> told) {
    listener = told;
  }

  private static void tell(Consumer<String> told, String which) {
    current = which;
    told.accept(which);
  }

  /** Does something that calls a plugin, which {@code which} names with the call. */
  static <T extends @Nullable Object> T during(Supplier<String> which, Supplier<T> call) {
    Consumer<String> told = listener;
    if (told == null) {
      return call.get();
    }
    String outer = current;
    tell(told, which.get());
    try {
      return call.get();
    } finally {
      tell(told, outer);
    }
  }
}
