// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls into plugins as they expect it. A plugin that looks for its own services by the thread's
 * context loader must find its own world, not the application's.
 */
final class ContextLoader {
  private ContextLoader() {}

  /**
   * Does something on this thread, with {@code loader} as its context loader meanwhile.
   *
   * @param loader the plugin's own; null is the boot loader's
   * @return what {@code deed} returns
   */
  static <T extends @Nullable Object> T with(@Nullable ClassLoader loader, Supplier<T> deed) {
    Thread thread = Thread.currentThread();
    ClassLoader callers = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return deed.get();
    } finally {
      thread.setContextClassLoader(callers);
    }
  }

  /** Does the same where nothing is returned. */
  static void run(@Nullable ClassLoader loader, Runnable deed) {
    with(
        loader,
        () -> {
          deed.run();
          return null;
        });
  }
}
