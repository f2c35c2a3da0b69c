// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.dl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shared library, opened by {@code dlopen} with {@code RTLD_NOW | RTLD_LOCAL} as NCCL opens its
 * plugins: the usual search for names without a slash, and no symbol of it is seen by others.
 *
 * <p>What is opened stays open, unless {@link #close} is called: function pointers and threads of
 * the library may be in use.
 */
@AnyThread
public final class SharedLibrary {
  private static final int RTLD_NOW = 2;
  private static final long MAX_TEXT = 4096;

  private static final MethodHandle DLOPEN =
      handle("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle DLSYM =
      handle("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle DLERROR = handle("dlerror", FunctionDescriptor.of(ADDRESS));
  private static final MethodHandle DLCLOSE =
      handle("dlclose", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle DLADDR =
      handle("dladdr", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /** {@code Dl_info}: the file, where it is mapped, the nearest symbol and its address. */
  private static final MemoryLayout DL_INFO = MemoryLayout.sequenceLayout(4, ADDRESS);

  private final String name;
  private final MemorySegment library;
  private final List<String> handlersPutBack;

  private SharedLibrary(String name, MemorySegment library, List<String> handlersPutBack) {
    this.name = name;
    this.library = library;
    this.handlersPutBack = List.copyOf(handlersPutBack);
  }

  /**
   * Opens a library.
   *
   * @param name a path with a slash, or a name that the system looks for
   * @throws IOException with the system's words when there is no such library or it does not load
   */
  public static SharedLibrary open(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      return open(name, arena.allocateFrom(name));
    }
  }

  /** Opens the program itself, with the libraries that it was linked with. */
  public static SharedLibrary program() throws IOException {
    return open("the program itself", MemorySegment.NULL);
  }

  /**
   * Opens a library whose content is at hand, with no file for it.
   *
   * @param name what the system's own tools show for it
   * @throws IOException when there is no memory for it or it does not load
   */
  public static SharedLibrary of(String name, byte[] content) throws IOException {
    int fd;
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle create = MemoryFile.CREATE;
      if (create == null) {
        throw new IOException("this system has no memfd_create, for " + name);
      }
      fd = (int) create.invokeExact(arena.allocateFrom(name), 0);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (fd < 0) {
      throw new IOException("the system gives no memory file for " + name);
    }
    try {
      Path path = Path.of("/proc/self/fd/" + fd);
      Files.write(path, content);
      return open(path.toString());
    } finally {
      close(fd);
    }
  }

  /** Returns what it was opened as. */
  public String name() {
    return name;
  }

  /**
   * Returns the signals that the library has set handlers for while it was loaded, where the
   * process had handlers before: those are back ({@link SignalHandlers}).
   */
  public List<String> handlersPutBack() {
    return handlersPutBack;
  }

  /** Returns the address of what the library exports as {@code symbol}; empty where nothing. */
  public Optional<MemorySegment> symbol(String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = (MemorySegment) DLSYM.invokeExact(library, arena.allocateFrom(symbol));
      return found.address() == 0 ? Optional.empty() : Optional.of(found);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Returns the file that holds {@code address}, as the system calls it; null if none does. */
  public static @Nullable String fileOf(MemorySegment address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(DL_INFO);
      int found = (int) DLADDR.invokeExact(address, info);
      return found == 0 ? null : text(info.get(ADDRESS, 0));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Lets the library go; nothing of it may be in use. */
  public void close() {
    try {
      int ignored = (int) DLCLOSE.invokeExact(library); // it fails for a library not open only
      assert ignored == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private static SharedLibrary open(String name, MemorySegment text) throws IOException {
    String reason;
    try (Arena arena = Arena.ofConfined()) {
      SignalHandlers before = SignalHandlers.now(arena);
      MemorySegment opened = (MemorySegment) DLOPEN.invokeExact(text, RTLD_NOW);
      List<String> putBack = before.restore();
      if (opened.address() != 0) {
        return new SharedLibrary(name, opened, putBack);
      }
      reason = text((MemorySegment) DLERROR.invokeExact());
    } catch (Throwable e) {
      throw unexpected(e);
    }
    throw new IOException(reason == null ? "dlopen of " + name + " failed" : reason);
  }

  private static void close(int fd) {
    try {
      int ignored = (int) CLOSE.invokeExact(fd); // a file in memory has nothing left to write
      assert ignored == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static @Nullable String text(MemorySegment address) {
    if (address.address() == 0) {
      return null;
    }
    MemorySegment bytes = address.reinterpret(MAX_TEXT);
    long length = 0;
    while (length < MAX_TEXT && bytes.get(JAVA_BYTE, length) != 0) {
      length++;
    }
    return new String(bytes.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /** What old systems lack, and plugins of which the log is all that suffers. */
  private static final class MemoryFile {
    static final @Nullable MethodHandle CREATE =
        Linker.nativeLinker()
            .defaultLookup()
            .find("memfd_create")
            .map(function ->
                Linker.nativeLinker()
                    .downcallHandle(function, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)))
            .orElse(null);

    private MemoryFile() {}
  }

  private static MethodHandle handle(String function, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), descriptor);
  }

  private static Error unexpected(Throwable e) {
    return e instanceof Error error ? error : new AssertionError("a native call threw", e);
  }
}
