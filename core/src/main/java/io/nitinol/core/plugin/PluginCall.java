// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a plugin's code as the plugin expects it, and puts what it throws into words. A plugin that
 * looks for its own services by the thread's context loader must find its own world, not the
 * application's.
 */
@AnyThread
final class PluginCall {
  private static final int DEPTH = 8;

  private PluginCall() {}

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

  /**
   * Returns an exception and its causes as one sentence, for the reason of a rejected candidate:
   * the messages from the outermost to the innermost, each once.
   */
  static String describe(Throwable failure) {
    List<String> parts = new ArrayList<>();
    @Nullable Throwable at = failure;
    for (int i = 0; at != null && i < DEPTH; i++, at = at.getCause()) {
      String text = oneLine(at);
      // Many exceptions repeat their cause's text in their own.
      if (parts.stream().noneMatch(part -> part.contains(text))) {
        parts.add(text);
      }
    }
    return String.join(": ", parts);
  }

  /** Throws what no plugin can be blamed for: the machine itself cannot go on. */
  static void rethrowIfFatal(Throwable failure) {
    if (failure instanceof VirtualMachineError fatal && !(fatal instanceof StackOverflowError)) {
      throw fatal;
    }
  }

  private static String oneLine(Throwable e) {
    String message = e.getMessage();
    String text;
    if (message == null || message.isBlank()) {
      text = e.getClass().getName();
    } else if (e instanceof NetException net) {
      text = net.result() + ": " + message;
    } else {
      text = e.getClass().getSimpleName() + ": " + message;
    }
    return text.strip().replaceAll("\\s+", " ");
  }
}
