// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.spi.net.MemoryHandle;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SocketVariables#CONGESTION} on connections inside the host. */
class CongestionTest {
  private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");
  private static final int STREAMS = 5; // with the one for control

  @BeforeEach
  void requireNativeAccess() {
    String missing = SocketCalls.missing();
    if (missing != null) {
      System.err.println("CongestionTest: " + missing);
    }
    assumeTrue(missing == null, missing);
  }

  private static Loopback pair(String variable, String algorithm) {
    return new Loopback(
            variable,
            variable.endsWith("NATIVE") ? "0" : "1",
            "NITINOL_SOCKET_CONGESTION",
            algorithm,
            "NCCL_SOCKET_NTHREADS",
            "1",
            "NCCL_NSOCKS_PERTHREAD",
            "4")
        .connected();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NITINOL_SOCKET_TLS", "NITINOL_SOCKET_NATIVE", "NCCL_IB_DISABLE"})
  void isRenoByItself(String variable) throws Throwable {
    try (Loopback pair = pair(variable, "")) {
      assertThat(algorithms(pair)).hasSize(STREAMS).containsOnly("reno");
    }
  }

  @Test
  void isWhatTheVariableSays() throws Throwable {
    for (String algorithm : Files.readString(ALLOWED).strip().split(" ", -1)) {
      try (Loopback pair = pair("NCCL_IB_DISABLE", algorithm)) {
        assertThat(algorithms(pair)).hasSize(STREAMS).containsOnly(algorithm);
      }
    }
  }

  @Test
  void doesWithoutWhatTheKernelHasNot() {
    try (Loopback pair = pair("NCCL_IB_DISABLE", "no-such-algorithm")) {
      MemoryHandle out = pair.register(pair.send, pair.random(1 << 20, 1));
      MemoryHandle in = pair.register(pair.recv, pair.arena.allocate(1 << 20));
      assertThat(
              pair.complete(
                  Objects.requireNonNull(pair.net.isend(pair.send, out, 0, 1 << 20, 0)),
                  pair.irecv(in, 0, 1 << 20)))
          .isEqualTo(1 << 20);
    }
  }

  /** Returns the algorithm of each connection on which the pair sends, each once. */
  private static List<String> algorithms(Loopback pair) throws Throwable {
    String peer = ((SocketSendComm) pair.send).wire.peer();
    int port = Integer.parseInt(peer.substring(peer.lastIndexOf(':') + 1));
    MethodHandle getsockopt =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().find("getsockopt").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    MethodHandle getpeername = SocketCalls.getpeername();
    MethodHandle getsockname = SocketCalls.getsockname();
    List<Integer> seen = new ArrayList<>(); // the copies of a descriptor have its address
    List<String> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = arena.allocate(SocketCalls.ERRNO_LAYOUT);
      for (int descriptor : descriptors()) {
        if (port(getpeername, errno, descriptor, arena) == port) {
          int own = port(getsockname, errno, descriptor, arena);
          MemorySegment name = arena.allocate(16);
          MemorySegment length = arena.allocateFrom(JAVA_INT, 16);
          int result =
              (int)
                  getsockopt.invokeExact(
                      descriptor,
                      SocketCalls.IPPROTO_TCP,
                      SocketCalls.TCP_CONGESTION,
                      name,
                      length);
          assertThat(result).isZero();
          if (!seen.contains(own)) {
            seen.add(own);
            found.add(name.getString(0));
          }
        }
      }
    }
    return found;
  }

  private static List<Integer> descriptors() throws IOException {
    List<Integer> all = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      paths.forEach(path -> all.add(Integer.parseInt(path.getFileName().toString())));
    }
    return all;
  }

  /** Returns the port that a function gives for a descriptor; -1 where it is no connection. */
  private static int port(MethodHandle function, MemorySegment errno, int descriptor, Arena arena)
      throws Throwable {
    MemorySegment address = arena.allocate(128, 8);
    MemorySegment length = arena.allocateFrom(JAVA_INT, 128);
    int result = (int) function.invokeExact(errno, descriptor, address, length);
    return result == 0
        ? Short.toUnsignedInt(address.get(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2))
        : -1;
  }
}
