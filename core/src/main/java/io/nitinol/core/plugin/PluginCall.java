// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls a plugin's code as the plugin expects it, and puts what it throws into words. A plugin that
 * looks for its own services by the thread's context loader must find its own world, not the
 * application's.
 */
@AnyThread
final class PluginCall {
  private static final int DEPTH = 8;
  private static final int CLASS_VERSION_OF_JAVA_0 = 44;

  /** What the JVM says of a class, and the reader of descriptors of a module-info. */
  private static final Pattern NEWER_JAVA =
      Pattern.compile(
          "(?:(?<class>\\S+) has been compiled by a more recent version of the Java Runtime \\(class file"
              + " version|^Unsupported major.minor version) (?<major>[0-9]{1,5})\\.");

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
   * Does something that calls the plugin's code and may never return. Where it takes long, one line
   * on standard error tells for what Nitinol waits; nothing ends the wait.
   *
   * @param what the call, for that line and {@link PluginWatch}, such as {@code init of network Foo
   *     from /opt/foo.jar}
   */
  static void runWatched(@Nullable ClassLoader loader, Supplier<String> what, Runnable deed) {
    PluginWatch.during(
        what,
        () -> {
          try (SlowCall _ = SlowCall.watch(what)) {
            run(loader, deed);
          }
          return null;
        });
  }

  /**
   * Returns an exception and its causes as one sentence, for the reason of a rejected candidate:
   * the messages from the outermost to the innermost, each once. A class file for a newer Java is
   * reason enough.
   */
  static String describe(Throwable failure) {
    List<String> parts = new ArrayList<>();
    @Nullable Throwable at = failure;
    for (int i = 0; at != null && i < DEPTH; i++, at = at.getCause()) {
      String newer = newerJava(String.valueOf(at.getMessage()));
      if (newer != null) {
        return newer;
      }
      String text = oneLine(at);
      // Many exceptions repeat their cause's text in their own.
      if (parts.stream().noneMatch(part -> part.contains(text))) {
        parts.add(text);
      }
    }
    return String.join(": ", parts);
  }

  /** Returns the sentence on a class that is compiled for a newer Java, or null. */
  private static @Nullable String newerJava(String message) {
    Matcher version = NEWER_JAVA.matcher(message);
    if (!version.find()) {
      return null;
    }
    String found = version.group("class");
    return ErrorText.of(
        "%s is compiled for Java %d, and this is Java %d",
        found == null ? "its module-info" : found.replace('/', '.'),
        Integer.parseInt(version.group("major")) - CLASS_VERSION_OF_JAVA_0,
        Runtime.version().feature());
  }

  private static String oneLine(Throwable e) {
    String message = e.getMessage();
    String text;
    if (message == null || message.isBlank()) {
      text = e.getClass().getName();
    } else if (e instanceof NetException net) {
      text = net.result() + ": " + message;
    } else if (e instanceof IOException) {
      text = ErrorText.reason(e);
    } else if (e instanceof ServiceConfigurationError) {
      text = message; // it begins with the interface
    } else {
      text = e.getClass().getSimpleName() + ": " + message;
    }
    return text.strip().replaceAll("\\s+", " ");
  }
}
