// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * A process that connects with the one that started it, both ways, receives all it is sent and
 * sends nothing, until it is killed.
 */
final class FaultPeer implements AutoCloseable {
  private static final int RECEIVES = 4;

  private final Process process;

  /** Starts the process, and connects it both ways with a cable whose listener is open. */
  FaultPeer(Cable cable, MemorySegment handle) throws IOException {
    process =
        new ProcessBuilder(
                "java",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FaultPeer.class.getName(),
                toHex(handle))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    cable.join(0, fromHex(cable, said.readLine()));
  }

  /** Kills it; it cannot do anything about that. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(240, TimeUnit.SECONDS)) {
      throw new AssertionError("a killed process lives on");
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }

  /**
   * Is the process.
   *
   * @param arguments the handle to connect to, in hex; its own goes to standard output
   */
  public static void main(String[] arguments) {
    try (Cable cable = new Cable(FaultGuestTest.VARIABLES)) {
      MemorySegment own = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
      cable.listener = cable.net.listen(1, own);
      System.out.println(toHex(own));
      cable.join(1, fromHex(cable, arguments[0]));
      MemoryHandle mr = cable.register(cable.recv, cable.memory(FaultGuestTest.BYTES));
      ArrayDeque<Request> posted = new ArrayDeque<>();
      while (true) {
        while (posted.size() < RECEIVES) {
          posted.add(cable.irecv(mr, 0, FaultGuestTest.BYTES, 0));
        }
        Request first = posted.remove();
        Cable.until("message", () -> cable.net.test(first, null));
      }
    }
  }

  private static String toHex(MemorySegment handle) {
    return HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE));
  }

  private static MemorySegment fromHex(Cable cable, String text) {
    MemorySegment handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
    return handle.copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(text)));
  }
}
