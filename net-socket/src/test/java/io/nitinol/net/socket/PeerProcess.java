// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.ErrorText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A peer in a process of its own. It says on stdout what it has done, a word per line, and lives
 * until its stdin ends or it is killed.
 */
final class PeerProcess implements AutoCloseable {
  private static final String NATIVE = "JDK_JAVA_OPTIONS=--enable-native-access=ALL-UNNAMED";

  private final Process process;
  private final BufferedReader output;

  private PeerProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(US_ASCII);
  }

  static PeerProcess start(String role, String argument) throws IOException {
    return start(List.of(), role, argument);
  }

  /** Starts a peer that may make system calls and have no more than {@code most} open files. */
  static PeerProcess startWithDescriptors(int most, String role, String argument)
      throws IOException {
    return start(
        List.of("sh", "-c", "ulimit -n " + most + " && exec env " + NATIVE + " \"$@\"", "peer"),
        role,
        argument);
  }

  /** Starts a peer whose JVM refuses native access. */
  static PeerProcess startDenied(String role, String argument) throws IOException {
    return start(List.of("env", "JDK_JAVA_OPTIONS=--illegal-native-access=deny"), role, argument);
  }

  private static PeerProcess start(List<String> prefix, String role, String argument)
      throws IOException {
    String classPath =
        List.of(
                place(PeerProcess.class),
                place(SocketNet.class),
                place(Memory.class),
                place(ErrorText.class),
                place(RecordingLog.class))
            .stream()
            .distinct()
            .reduce("target/test-classes:target/classes", (a, b) -> a + ":" + b);
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath,
            PeerProcess.class.getName(),
            role,
            argument));
    return new PeerProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private static String place(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  /** Tells the peer a line. */
  void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(US_ASCII));
    process.getOutputStream().flush();
  }

  /** Reads the peer's next line, which has to begin with {@code word}; returns the rest. */
  String expect(String word) throws IOException {
    String line = output.readLine();
    if (line == null || !line.startsWith(word)) {
      throw new AssertionError("peer said " + line + ", expected " + word);
    }
    return line.substring(word.length()).strip();
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

  static void unhex(String text, MemorySegment handle) {
    handle.copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(text)));
  }

  /** The peer's side. */
  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals("report")) {
      report(Integer.parseInt(arguments[1]));
      return;
    }
    Loopback here = new Loopback();
    switch (arguments[0]) {
      case "listen" -> listen(here);
      case "accept" -> accept(here, listen(here));
      case "acceptTwice" -> {
        ListenComm listener = listen(here);
        accept(here, listener);
        accept(here, listener);
      }
      case "receive" -> {
        accept(here, listen(here));
        receive(here, Integer.parseInt(arguments[1]));
      }
      case "connect" -> connect(here, arguments[1]);
      case "connectWithout" -> {
        warmUp();
        connectWithout(here, Integer.parseInt(arguments[1]));
      }
      case "acceptWithout" -> {
        warmUp();
        String[] leftAndStreams = arguments[1].split(",");
        acceptWithout(Integer.parseInt(leftAndStreams[0]), leftAndStreams[1]);
      }
      case "pollWithout" -> {
        warmUp();
        pollWithout(Integer.parseInt(arguments[1]));
      }
      case "send" -> {
        connect(here, arguments[1]);
        send(here);
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    new InputStreamReader(System.in, US_ASCII).read();
  }

  private static ListenComm listen(Loopback here) {
    here.listening();
    say("handle " + hex(here.handle));
    return here.listener;
  }

  private static void accept(Loopback here, ListenComm listener) {
    RecvComm comm = Await.nonNull("accept", () -> here.net.accept(listener));
    here.recv = comm;
    say("accepted");
  }

  private static void connect(Loopback here, String handle) {
    here.handle = here.handle();
    unhex(handle, here.handle);
    SendComm comm = Await.nonNull("connect", () -> here.net.connect(0, here.handle));
    here.send = comm;
    say("connected");
  }

  /** Loads what a connection of either kind needs: a process without descriptors cannot. */
  private static void warmUp() {
    for (String isNative : List.of("1", "0")) {
      new Loopback("NITINOL_SOCKET_NATIVE", isNative).connected().close();
    }
    try (Loopback here = new Loopback()) {
      here.net.connect(0, here.handle());
      throw new AssertionError("a handle of zeroes leads to a listener");
    } catch (NetException expected) {
      expected.fillInStackTrace();
    }
  }

  /** Reads a handle, opens as many sockets as it may but for {@code left}, and connects. */
  private static void connectWithout(Loopback here, int left) throws IOException {
    here.handle = here.handle();
    say("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
    unhex(in.readLine(), here.handle);
    sayWithout(
        left,
        () -> {
          here.send = Await.nonNull("connect", () -> here.net.connect(0, here.handle));
          return "connected " + ((SocketSendComm) here.send).wire.getClass().getSimpleName();
        });
  }

  /** Listens, opens as many sockets as it may but for {@code left}, and accepts. */
  private static void acceptWithout(int left, String streams) throws IOException {
    Loopback here = new Loopback("NCCL_SOCKET_NTHREADS", "1", "NCCL_NSOCKS_PERTHREAD", streams);
    ListenComm listener = listen(here);
    sayWithout(
        left,
        () -> {
          here.recv = Await.nonNull("accept", () -> here.net.accept(listener));
          return "accepted";
        });
  }

  /**
   * Listens, and once it is told a line opens as many sockets as it may but for one. Then it polls
   * for {@code seconds}, and says how many connections it has dropped to make room for another.
   */
  private static void pollWithout(int seconds) throws IOException {
    Loopback here = new Loopback("NITINOL_SOCKET_HANDSHAKE_MSEC", "3600000");
    ListenComm listener = listen(here);
    new BufferedReader(new InputStreamReader(System.in, US_ASCII)).readLine();
    sayWithout(
        1,
        () -> {
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
          while (System.nanoTime() < end) {
            if (here.net.accept(listener) != null) {
              return "accepted a stranger";
            }
            LockSupport.parkNanos(1_000_000);
          }
          return "dropped "
              + here.log.warnings.stream().filter(each -> each.contains("accept failed:")).count();
        });
  }

  /** Says what comes of an action for which {@code left} descriptors are there. */
  private static void sayWithout(int left, Supplier<String> action) throws IOException {
    ArrayDeque<SocketChannel> taken = new ArrayDeque<>();
    try {
      while (true) {
        taken.add(SocketChannel.open());
      }
    } catch (IOException full) {
      for (int i = 0; i < left; i++) {
        taken.pop().close();
      }
    }
    String outcome;
    try {
      outcome = action.get();
    } catch (NetException e) {
      outcome = "failed " + e.result() + " " + e.getMessage();
    }
    for (SocketChannel each : taken) {
      each.close();
    }
    say(outcome);
  }

  /** Receives {@code count} messages of random sizes and checks them. */
  private static void receive(Loopback here, int count) {
    MemorySegment in = here.arena.allocate(1 << 20);
    MemoryHandle mr = here.register(here.recv, in);
    int[] size = new int[1];
    for (int i = 0; i < count; i++) {
      Request request = here.irecv(mr, 0, 1 << 20);
      Await.until("message " + i, () -> here.net.test(request, size));
      MemorySegment expected = here.random(size[0], i);
      if (in.asSlice(0, size[0]).mismatch(expected) != -1) {
        say("wrong " + i);
        return;
      }
    }
    say("received " + count);
  }

  /** Sends one whole message, and the beginning of one that it never ends. */
  private static void send(Loopback here) {
    MemoryHandle mr = here.register(here.send, here.random(64 << 20, 1));
    Request small = here.net.isend(here.send, mr, 0, 100, 0);
    Await.until("small message", () -> here.net.test(small, null));
    here.net.isend(here.send, mr, 0, 64 << 20, 0);
    say("sending");
  }

  /** Connects to itself, sends one message, and says how its connections work. */
  private static void report(int bytes) {
    try (Loopback here = new Loopback("NITINOL_SOCKET_USER_TIMEOUT_MSEC", "5000").connected()) {
      say("wire " + ((SocketSendComm) here.send).wire.getClass().getSimpleName());
      here.log.lines.stream()
          .filter(line -> line.contains("java.nio"))
          .forEach(line -> say("said " + line));
      here.log.warnings.forEach(line -> say("timeout " + line));
      MemoryHandle in = here.register(here.recv, here.arena.allocate(bytes));
      MemoryHandle out = here.register(here.send, here.random(bytes, 1));
      Request receiving = here.irecv(in, 0, bytes);
      say("moved " + here.complete(here.net.isend(here.send, out, 0, bytes, 0), receiving));
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
