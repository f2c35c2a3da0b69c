// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A stranger that connects to every port at which this process listens, over and over. Each time it
 * sends something else: nothing, garbage, half a greeting, a reset. Reads Linux's tables.
 */
final class PortScan implements AutoCloseable {
  private static final Path SOCKETS = Path.of("/proc/self/fd");
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
  private static final String LISTENING = "0A";
  private static final int HELD = 500;
  private static final int KINDS = 5;
  private static final int KNOCKS = 4 * KINDS;

  private final AtomicInteger knocks = new AtomicInteger();
  private final AtomicInteger passes = new AtomicInteger();
  private final Deque<SocketChannel> held = new ArrayDeque<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("port scan").unstarted(this::run);
  private volatile boolean ended;
  private volatile Exception problem;

  /** Returns whether this machine has the tables. */
  static boolean isPossible() {
    return Files.isDirectory(SOCKETS) && Files.isReadable(TABLES.getFirst());
  }

  static PortScan start() {
    PortScan scan = new PortScan();
    scan.thread.start();
    return scan;
  }

  /** Returns how many connections have been made. */
  int knocks() {
    return knocks.get();
  }

  /** Waits until the scan has reached every port that is open now. */
  void awaitPass() {
    int next = passes.get() + 2; // one may be under way and have read the tables before
    long start = System.nanoTime();
    while (passes.get() < next) {
      if (!thread.isAlive() || System.nanoTime() - start > 30_000_000_000L) {
        throw new AssertionError("the port scan makes no progress: " + problem);
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private void run() {
    try {
      while (!ended) {
        List<InetSocketAddress> ports = ports(); // which takes longer than many knocks
        for (int i = 0; i < KNOCKS * ports.size(); i++) {
          knock(ports.get(i % ports.size()), i / ports.size() % KINDS);
        }
        passes.incrementAndGet();
        while (held.size() > HELD) {
          held.removeFirst().close();
        }
      }
      for (SocketChannel each : held) {
        each.close();
      }
    } catch (IOException e) {
      problem = e;
    }
  }

  private void knock(InetSocketAddress port, int kind) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.connect(port);
      knocks.incrementAndGet();
      switch (kind) {
        case 0 -> channel.close();
        case 1 -> {
          channel.setOption(StandardSocketOptions.SO_LINGER, 0);
          channel.close();
        }
        case 2 -> say(channel, "GET / HTTP/1.1\r\n\r\n");
        case 3 -> say(channel, "NTNHELLO");
        default -> say(channel, "");
      }
    } catch (IOException e) {
      channel.close(); // closed meanwhile, or it wants no strangers
    }
  }

  private void say(SocketChannel channel, String text) throws IOException {
    held.addLast(channel);
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static List<InetSocketAddress> ports() throws IOException {
    Set<String> own = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(SOCKETS)) {
      for (Path each : (Iterable<Path>) descriptors::iterator) {
        try {
          own.add(Files.readSymbolicLink(each).toString());
        } catch (NoSuchFileException closedMeanwhile) {
          continue;
        }
      }
    }
    List<InetSocketAddress> ports = new ArrayList<>();
    for (Path table : TABLES) {
      if (!Files.isReadable(table)) {
        continue; // a machine without IPv6
      }
      List<String> lines = Files.readAllLines(table);
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.strip().split("\\s+");
        if (fields[3].equals(LISTENING) && own.contains("socket:[" + fields[9] + "]")) {
          ports.add(address(fields[1]));
        }
      }
    }
    return ports;
  }

  /** Reads an address as the kernel prints it: words of four bytes, each in the host's order. */
  private static InetSocketAddress address(String text) throws IOException {
    int colon = text.indexOf(':');
    byte[] address = new byte[colon / 2];
    for (int i = 0; i < address.length; i++) {
      int from = 2 * (i / 4 * 4 + 3 - i % 4);
      address[i] = (byte) Integer.parseInt(text.substring(from, from + 2), 16);
    }
    InetAddress host = InetAddress.getByAddress(address);
    int port = Integer.parseInt(text.substring(colon + 1), 16);
    return new InetSocketAddress(
        host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host, port);
  }

  /** Ends the scan; throws what ended it before. */
  @Override
  public void close() throws Exception {
    ended = true;
    thread.join(240_000);
    if (problem != null) {
      throw problem;
    }
  }
}
