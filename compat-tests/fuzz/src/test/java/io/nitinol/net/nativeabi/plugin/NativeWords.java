// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Memory of a native plugin that lies: structs with pointers of every kind. */
final class NativeWords {
  private static final int MOST = 1 << 10;

  private final Arena arena = Arena.global();
  private final MemorySegment struct = arena.allocate(MOST, 64);
  private final MemorySegment text = arena.allocateFrom("device_0");
  private final MemorySegment spoilt =
      arena.allocateFrom("\u00e4\n\t%s", StandardCharsets.ISO_8859_1);
  private final MemorySegment endless = arena.allocate(8192).fill((byte) 'x');
  private final MemorySegment code = Linker.nativeLinker().defaultLookup().findOrThrow("getpid");
  private final long[] areas;

  NativeWords() {
    try {
      List<String> lines =
          Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
      areas =
          lines.stream()
              .filter(line -> line.matches(".*(\\[v|libc|jvm|\\[stack|locale).*"))
              .mapToLong(line -> Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16))
              .toArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a struct of {@code size} bytes with this content, zeroes behind it. */
  MemorySegment place(byte[] content, long size) {
    MemorySegment placed = struct.asSlice(0, size);
    placed.copyFrom(MemorySegment.ofArray(Arrays.copyOf(content, (int) size)));
    return placed;
  }

  /** Makes a word a pointer; leaves it as it is for some kinds. */
  void point(MemorySegment in, long at, int kind) {
    long word = in.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    long address =
        switch (kind) {
          case 0 -> 0;
          case 1, 2, 3, 4 -> text.address();
          case 5 -> spoilt.address();
          case 6 -> endless.address();
          case 7 -> text.address() + text.byteSize() - 1;
          case 8 -> code.address();
          case 9 -> areas.length == 0 ? 1 : areas[(int) Long.remainderUnsigned(word, areas.length)];
          case 10 ->
              areas.length == 0 ? 1 : areas[(int) Long.remainderUnsigned(word, areas.length)] - 1;
          case 11 -> -1;
          case 12 -> 4096;
          default -> word;
        };
    in.set(ValueLayout.JAVA_LONG_UNALIGNED, at, address);
  }
}
