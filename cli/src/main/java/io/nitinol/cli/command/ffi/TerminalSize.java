// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Asks Linux how wide a terminal is, which Java does not tell. */
public final class TerminalSize {
  /** Standard output, by its descriptor. */
  public static final int STDOUT = 1;

  /** Standard error, by its descriptor. */
  public static final int STDERR = 2;

  /** {@code TIOCGWINSZ} of {@code asm-generic/ioctls.h}, which x86-64 and AArch64 use. */
  private static final long GET_WINDOW_SIZE = 0x5413;

  /** {@code struct winsize}: rows, columns and two numbers of pixels. */
  private static final int SHORTS = 4;

  private TerminalSize() {}

  /**
   * Returns the width of the terminal that a descriptor is.
   *
   * @param descriptor {@link #STDOUT} or {@link #STDERR}
   * @return columns; 0 where it is no terminal, and where that cannot be found out
   */
  public static int columns(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle ioctl =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("ioctl"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
              Linker.Option.firstVariadicArg(2));
      MemorySegment size = arena.allocate(JAVA_SHORT, SHORTS);
      int result = (int) ioctl.invokeExact(descriptor, GET_WINDOW_SIZE, size);
      return result == 0 ? Short.toUnsignedInt(size.getAtIndex(JAVA_SHORT, 1)) : 0;
    } catch (Throwable e) {
      // Native access is denied, or this system has no such call. The width is a nicety for which
      // no command may end: a text without line breaks is readable, too.
      return 0;
    }
  }
}
