// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The log of one native plugin. C calls it with a format and arguments; {@code logger.c}, built
 * with this module where there is a C compiler, makes them a text. Without it the format is logged
 * as it is. The last warning is kept: it usually says why the call that then fails does.
 */
public final class PluginLog {
  private static final long MAX_TEXT = 4096;
  private static final FunctionDescriptor SINK =
      FunctionDescriptor.ofVoid(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS);
  private static final LogLevel[] LEVELS = LogLevel.values();
  private static final AtomicInteger NEXT = new AtomicInteger();

  /** The JVM's name for a thread without a name. */
  private static final Pattern UNNAMED = Pattern.compile("Thread-\\d+");

  private final String plugin;
  private @Nullable MemorySegment function;
  private @Nullable String raw;
  private boolean told;
  private volatile @Nullable DebugLogger to;
  private volatile @Nullable String warning;

  /**
   * Creates the log.
   *
   * @param plugin what lines without a file are said to come from
   */
  PluginLog(String plugin) {
    this.plugin = plugin;
  }

  /** Sends the lines to {@code logger} from now on. */
  void to(DebugLogger logger) {
    to = logger;
  }

  /** Returns the function that the plugin calls, good for the life of the process. */
  public synchronized long address() {
    if (function == null) {
      function = make();
    }
    if (raw != null && !told) {
      told = true;
      log(
          LogLevel.INFO,
          LogSubsystem.INIT.mask() | LogSubsystem.NET.mask(),
          plugin,
          0,
          "lines of this native plugin have their formats only, without the values: " + raw);
    }
    return function.address();
  }

  /** Returns the last warning since the last time somebody asked, or null. */
  @Nullable String takeWarning() {
    String taken = warning;
    if (taken != null) {
      warning = null;
    }
    return taken;
  }

  /** Writes a warning of Nitinol's about the plugin. */
  void warn(String message) {
    log(LogLevel.WARN, LogSubsystem.ALL, plugin, 0, "NET/" + plugin + ": " + message);
  }

  private MemorySegment make() {
    MethodHandle target;
    try {
      target =
          MethodHandles.lookup()
              .bind(
                  this,
                  "line",
                  MethodType.methodType(
                      void.class,
                      int.class,
                      long.class,
                      MemorySegment.class,
                      int.class,
                      MemorySegment.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no method to be called back", e);
    }
    MemorySegment sink = Linker.nativeLinker().upcallStub(target, SINK, Arena.global());
    try {
      MethodHandle maker = Formatter.MAKER;
      if (maker == null) {
        raw = Formatter.MISSING;
        return sink;
      }
      MemorySegment made = (MemorySegment) maker.invokeExact(NEXT.getAndIncrement(), sink);
      if (made.address() == 0) {
        raw = "too many native plugins in one process";
        return sink;
      }
      return made;
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /** Called from C, by any thread; what is thrown here would end the process. */
  @SuppressWarnings("unused") // by its name, in make()
  private void line(int level, long flags, MemorySegment file, int line, MemorySegment text) {
    try {
      nameThread();
      LogLevel known = level >= 0 && level < LEVELS.length ? LEVELS[level] : LogLevel.INFO;
      DebugLogger logger = to;
      boolean wanted = logger != null && logger.isEnabled(known, flags);
      if (wanted || known == LogLevel.WARN) {
        String message = text(text).strip();
        if (known == LogLevel.WARN) {
          warning = message;
        }
        if (wanted) {
          log(known, flags, location(text(file)), line, message);
        }
      }
    } catch (RuntimeException | Error e) {
      warning = "a line that could not be logged: " + e;
    }
  }

  /**
   * Names a thread that the plugin has made itself: the first line that it logs makes it a thread
   * of the JVM, which has no better name for it than a number. Nothing of Java is below this call
   * then.
   */
  private void nameThread() {
    Thread thread = Thread.currentThread();
    if (UNNAMED.matcher(thread.getName()).matches()
        && StackWalker.getInstance().walk(frames -> frames.skip(2).findFirst().isEmpty())) {
      thread.setName(plugin + "-native-" + thread.threadId());
    }
  }

  private void log(LogLevel level, long flags, String location, int line, String message) {
    DebugLogger logger = to;
    if (logger != null) {
      logger.log(level, flags, location, line, message);
    }
  }

  private String location(String file) {
    return file.isEmpty() ? plugin : file.substring(file.lastIndexOf('/') + 1);
  }

  private static String text(MemorySegment address) {
    if (address.address() == 0) {
      return "";
    }
    MemorySegment bytes = address.reinterpret(MAX_TEXT);
    long length = 0;
    while (length < MAX_TEXT && bytes.get(JAVA_BYTE, length) != 0) {
      length++;
    }
    return new String(bytes.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /** The C code that formats, for the machine this runs on. */
  private static final class Formatter {
    static final @Nullable MethodHandle MAKER;
    static final String MISSING;

    static {
      MethodHandle maker = null;
      String missing = "";
      String arch = System.getProperty("os.arch", "");
      String resource = "logger-" + (arch.equals("amd64") ? "x86_64" : arch) + ".so";
      try (InputStream in = PluginLog.class.getResourceAsStream(resource)) {
        if (in == null) {
          missing = "Nitinol was built without a C compiler for " + arch;
        } else {
          MemorySegment make =
              SharedLibrary.of("nitinol-logger", in.readAllBytes())
                  .symbol("nitinol_logger")
                  .orElseThrow(() -> new IOException("no nitinol_logger in " + resource));
          maker =
              Linker.nativeLinker()
                  .downcallHandle(make, FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));
        }
      } catch (IOException e) {
        missing = e.toString();
      }
      MAKER = maker;
      MISSING = missing;
    }

    private Formatter() {}
  }
}
