// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.await;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.toolkit.PeerProof;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;

/**
 * A peer in a process of its own. It says on stdout what it has done, and lives until its stdin
 * ends or it is killed.
 */
final class PeerProcess implements AutoCloseable {
  private static final Arena ARENA = Arena.global();

  private final Process process;
  private final BufferedReader output;

  private PeerProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.US_ASCII);
  }

  static PeerProcess start(String role, String argument) throws IOException {
    Set<String> places = new LinkedHashSet<>(List.of("target/test-classes", "target/classes"));
    for (Class<?> type :
        List.of(Memory.class, PeerProof.class, MemoryNet.class, Assertions.class)) {
      URI place = URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString());
      places.add(Path.of(place).toString());
    }
    return new PeerProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(":", places),
                PeerProcess.class.getName(),
                role,
                argument)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Reads the peer's next line, which has to begin with {@code word}; returns the rest. */
  String expect(String word) throws IOException {
    String line = output.readLine();
    if (line == null || !line.startsWith(word)) {
      throw new AssertionError("peer said " + line + ", expected " + word);
    }
    return line.substring(word.length()).strip();
  }

  long pid() {
    return process.pid();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }

  static String hex(MemorySegment handle) {
    return HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE));
  }

  static MemorySegment unhex(String text) {
    return ARENA
        .allocate(Net.HANDLE_MAXSIZE, 8)
        .copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(text)));
  }

  /** The peer's side. */
  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "listen" -> listen(net());
      case "receive" -> receive();
      case "offer" -> {
        net().connect(1, unhex(arguments[1]));
        say("offered");
      }
      case "send" -> send(unhex(arguments[1]));
      case "reduce" -> reduce(unhex(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    int unused = System.in.read();
  }

  private static MemoryNet net() {
    return Wire.net(new Wire.Log());
  }

  private static ListenComm listen(MemoryNet net) {
    MemorySegment handle = ARENA.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(0, handle);
    say("handle " + hex(handle));
    return listener;
  }

  /** Receives one message, and the beginning of the next. */
  private static void receive() {
    MemoryNet net = net();
    ListenComm listener = listen(net);
    RecvComm[] comm = new RecvComm[1];
    await(() -> (comm[0] = net.accept(listener)) != null);
    MemorySegment into = ARENA.allocate(1 << 20);
    MemoryHandle[] mrs = {net.regMr(comm[0], Memory.ofHost(into))};
    long[] room = {1 << 20};
    int[] size = new int[1];
    Request first = net.irecv(comm[0], 1, mrs, new long[1], room, new int[1]);
    await(() -> net.test(first, size));
    say("received " + size[0] + " " + into.get(ValueLayout.JAVA_BYTE, size[0] - 1));
    net.irecv(comm[0], 1, mrs, new long[1], room, new int[1]);
  }

  /** Sends one message whole, and the beginning of one that it never ends. */
  private static void send(MemorySegment handle) {
    MemoryNet net = net();
    SendComm[] comm = new SendComm[1];
    await(() -> (comm[0] = net.connect(1, handle)) != null);
    MemorySegment from = ARENA.allocate(1 << 20).fill((byte) 42);
    MemoryHandle mr = net.regMr(comm[0], Memory.ofHost(from));
    Request[] requests = new Request[1];
    await(() -> (requests[0] = net.isend(comm[0], mr, 0, 1000, 0)) != null);
    await(() -> net.test(requests[0], null));
    await(() -> (requests[0] = net.isend(comm[0], mr, 0, 1 << 20, 0)) != null);
    say("sending");
  }

  /** Is the second of two members, takes part in one operation and starts no other. */
  private static void reduce(MemorySegment first) {
    MemoryCollNet net = new MemoryCollNet();
    net.init(new Wire.Log());
    MemorySegment handle = ARENA.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(0, handle);
    say("handle " + hex(handle));
    CollComm comm = net.connect(new MemorySegment[] {first, handle}, 2, 1, listener);
    MemoryHandle mr = net.regMr(comm, Memory.ofHost(ARENA.allocate(1000).fill((byte) 3)));
    Request r = net.iallreduce(comm, mr, 0, mr, 0, 1000, DataType.UINT8, ReductionOp.PROD);
    await(() -> net.test(r, null));
    say("reduced");
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
