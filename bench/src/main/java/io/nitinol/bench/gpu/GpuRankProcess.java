// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A process of our side, with all ranks or with one of them; does the same as {@code
 * nccl_peer.cpp}, where the commands are described.
 */
public final class GpuRankProcess {
  private final GpuRankOptions options;
  private final int ranks;
  private final List<GpuRank> own;
  private final GpuContent content;
  private final GpuCalls calls;

  /** What is recorded in the graphs; empty for nothing. */
  private String recorded = "";

  private GpuRankProcess(
      GpuRankOptions options, List<GpuRank> own, GpuContent content, GpuCalls calls) {
    this.options = options;
    this.ranks = options.devices().size();
    this.own = own;
    this.content = content;
    this.calls = calls;
  }

  /**
   * Runs until the connection ends.
   *
   * @param arguments as in {@link GpuRankOptions}
   */
  public static void main(String[] arguments) throws IOException {
    GpuRankOptions options = GpuRankOptions.parse(arguments);
    DeviceProvider provider = provider(options.provider());
    List<Device> devices = provider.devices();
    List<GpuRank> own = new ArrayList<>();
    for (int rank = 0; rank < options.devices().size(); rank++) {
      if (options.processes() == 1 || options.process() == rank) {
        own.add(new GpuRank(rank, devices.get(options.devices().get(rank)), options.capacity()));
      }
    }
    GpuContent content = new GpuContent(own.getFirst().device(), options.devices().size());
    own.forEach(content::fill);
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(options.socket()));
        GpuCalls calls =
            switch (options.api()) {
              case TEAM -> new TeamCalls(options, own);
              case COMMUNICATOR -> new CommunicatorCalls(options, provider, own);
            }) {
      new GpuRankProcess(options, own, content, calls).serve(channel);
      own.forEach(GpuRank::dropGraph);
    }
    own.forEach(GpuRank::close);
    content.close();
  }

  /**
   * Returns the provider of a name.
   *
   * @throws IllegalStateException where there is none, or it cannot work
   */
  static DeviceProvider provider(String name) {
    List<String> seen = new ArrayList<>();
    for (DeviceProvider each : ServiceLoader.load(DeviceProvider.class)) {
      if (each.name().equals(name)) {
        String reason = each.unavailable();
        if (reason != null) {
          throw new IllegalStateException(name + " is unavailable: " + reason);
        }
        return each;
      }
      seen.add(each.name());
    }
    throw new IllegalStateException(
        "no provider of devices is named " + name + "; there are " + seen);
  }

  private void serve(SocketChannel channel) throws IOException {
    say(
        channel,
        "hello %d %d %s %s"
            .formatted(
                options.process(),
                options.processes(),
                Path.of("/proc/thread-self").toRealPath().getFileName(),
                calls.describe()));
    BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      try {
        say(channel, obey(line));
      } catch (RuntimeException e) {
        say(channel, "failed " + String.valueOf(e).replace('\n', ' '));
        e.printStackTrace();
        Runtime.getRuntime().halt(1); // to close would wait for the others
      }
    }
  }

  private static void say(SocketChannel channel, String line) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private String obey(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 9 || !words[0].equals("run")) {
      throw new IllegalArgumentException("not understood: " + line);
    }
    GpuOperation operation = GpuOperation.of(words[1]);
    long count = operation.count(Long.parseLong(words[2]), ranks);
    boolean graph = words[3].equals("graph");
    long operations = Long.parseLong(words[4]);
    long launches = Long.parseLong(words[5]);
    Runnable put = calls.prepare(operation, count);
    if (graph) {
      capture(words[1] + " " + words[2] + " " + words[4], put, operations);
    }
    long warmup = Long.parseLong(words[6]);
    double nanos = measure(put, graph, operations, launches, warmup, Long.parseLong(words[8]));
    if (words[7].equals("1")) {
      String wrong = check(operation, count, put, graph);
      if (wrong != null) {
        return wrong;
      }
    }
    return String.format(Locale.ROOT, "ok %.1f", nanos);
  }

  private void settle() {
    for (GpuRank rank : own) {
      calls.settle(rank);
    }
  }

  private void capture(String what, Runnable put, long operations) {
    if (what.equals(recorded)) {
      return;
    }
    recorded = "";
    own.forEach(GpuRank::dropGraph);
    put.run();
    settle();
    for (GpuRank rank : own) {
      rank.stream().beginCapture();
    }
    for (long i = 0; i < operations; i++) {
      put.run();
    }
    own.forEach(GpuRank::keepGraph);
    recorded = what;
  }

  private void launchGraphs() {
    for (GpuRank rank : own) {
      rank.launchGraph();
    }
  }

  private double measure(
      Runnable put, boolean graph, long operations, long launches, long warmup, long lagMicros) {
    long times = graph ? launches : operations * launches;
    repeat(put, graph, warmup);
    if (lagMicros > 0) {
      settle(); // a rank that lags leaves its device idle
    }
    own.forEach(GpuRank::recordStart);
    lag(lagMicros);
    repeat(put, graph, times);
    own.forEach(GpuRank::recordEnd);
    settle();
    long slowest = 0;
    for (GpuRank rank : own) {
      slowest = Math.max(slowest, rank.elapsedNanos());
    }
    return (double) slowest / (operations * launches);
  }

  /** Lets time pass in the process of the last rank. */
  private void lag(long micros) {
    long begin = System.nanoTime();
    if (own.getFirst().number() == ranks - 1) {
      while (System.nanoTime() - begin < micros * 1000) {
        Thread.onSpinWait();
      }
    }
  }

  private void repeat(Runnable put, boolean graph, long times) {
    for (long i = 0; i < times; i++) {
      if (graph) {
        launchGraphs();
      } else {
        put.run();
      }
    }
  }

  private @Nullable String check(GpuOperation operation, long count, Runnable put, boolean graph) {
    for (GpuRank rank : own) {
      rank.stream().fill(rank.out().address(), (byte) 0xff, rank.out().size()); // NaN
      rank.finish("fill");
    }
    repeat(put, graph, 1);
    settle();
    for (GpuRank rank : own) {
      String wrong = content.check(rank, operation, count);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }
}
