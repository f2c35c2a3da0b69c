// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Shuts one direction of this process's connections without the knowledge of their users, as a
 * device on the way may do. Only connections that have carried much are shut, so not the
 * bootstrap's.
 */
final class HalfClose {
  /** The directions, by their number for {@code shutdown(2)}. */
  enum Direction {
    RECEIVING,
    SENDING
  }

  // From linux/tcp.h: the level, the option, and of struct tcp_info its size so far, the state
  // "established", and the bytes that the peer has acknowledged and that have come.
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;
  private static final int INFO = 136;
  private static final byte ESTABLISHED = 1;
  private static final long BYTES_ACKED = 120;
  private static final long BYTES_RECEIVED = 128;

  /**
   * Bytes both ways: less than a hundred rounds leave on each of four sockets, more than a
   * bootstrap.
   */
  private static final long MUCH = 1 << 18;

  private static final MethodHandle SHUTDOWN =
      function(
          "shutdown",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final MethodHandle GETSOCKOPT =
      function(
          "getsockopt",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS));

  private HalfClose() {}

  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /** Shuts them when a byte comes from {@code word}, and prints {@code halved COUNT}. */
  static void whenTold(InputStream word, Direction direction, Consumer<String> say) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            if (word.read() >= 0) {
              say.accept("halved " + shutAll(direction));
            }
          } catch (Throwable e) { // as a method handle declares it
            say.accept("not halved: " + e);
          }
        });
  }

  private static int shutAll(Direction direction) throws Throwable {
    List<Path> descriptors;
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      descriptors = all.toList();
    }
    // All are chosen before the first is shut: the ranks close the others as soon as one has ended.
    List<Integer> chosen = new ArrayList<>();
    for (Path each : descriptors) {
      int descriptor = Integer.parseInt(each.getFileName().toString());
      if (hasCarriedMuch(descriptor)) {
        chosen.add(descriptor);
      }
    }
    int shut = 0;
    for (int descriptor : chosen) {
      shut += (int) SHUTDOWN.invokeExact(descriptor, direction.ordinal()) == 0 ? 1 : 0;
    }
    // The rank may have closed others since the first was shut.
    return shut == 0 ? 0 : chosen.size();
  }

  /** Returns false for what is no TCP connection, too. */
  private static boolean hasCarriedMuch(int descriptor) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO, 8);
      MemorySegment size = arena.allocateFrom(ValueLayout.JAVA_INT, INFO);
      return (int) GETSOCKOPT.invokeExact(descriptor, IPPROTO_TCP, TCP_INFO, info, size) == 0
          && info.get(ValueLayout.JAVA_BYTE, 0) == ESTABLISHED
          && info.get(ValueLayout.JAVA_LONG, BYTES_ACKED)
                  + info.get(ValueLayout.JAVA_LONG, BYTES_RECEIVED)
              > MUCH;
    }
  }
}
