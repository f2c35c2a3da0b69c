// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchDirectory;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The running ranks of one side. Each rank has a UNIX socket to the bench and waits in a read for
 * the next command, so that a side that is not measured uses no processor.
 */
public final class AllReduceJob implements Closeable {
  /** How long a command may take; the ranks end by themselves then, too. */
  private static final int COMMAND_SECONDS = 60;

  private static final int START_SECONDS = 60;
  private static final int ANSWER_SECONDS = 5;
  private static final int LOG_LINES = 30;

  /** A line from a rank; empty when its connection has ended. */
  private record Message(SocketChannel from, String text) {}

  /** A side that cannot go on; the message has its last words. */
  public static final class JobFailure extends Exception {
    private static final long serialVersionUID = 1L;

    JobFailure(String message) {
      super(message);
    }
  }

  private final String label;
  private final int ranks;
  private final Path log;
  private final ServerSocketChannel server;
  private String description = "";
  private final String[] threads;
  private final List<Process> processes = new ArrayList<>();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

  private AllReduceJob(String label, int ranks, Path log, ServerSocketChannel server) {
    this.label = label;
    this.ranks = ranks;
    this.log = log;
    this.server = server;
    this.threads = new String[ranks];
  }

  /**
   * Starts a job and waits until all its ranks have come.
   *
   * @param label for messages
   * @param ranks how many ranks will come
   * @param commands what to start
   * @param environment variables to add
   * @param socket a file that does not exist yet, where the ranks come to
   * @throws JobFailure when they do not come
   */
  public static AllReduceJob start(
      String label,
      int ranks,
      List<List<String>> commands,
      Map<String, String> environment,
      Path socket)
      throws IOException, InterruptedException, JobFailure {
    return start(label, ranks, commands, environment, socket, START_SECONDS);
  }

  /**
   * As the other {@code start}, with a limit of its own.
   *
   * @param seconds how long the ranks may take to come
   */
  public static AllReduceJob start(
      String label,
      int ranks,
      List<List<String>> commands,
      Map<String, String> environment,
      Path socket,
      int seconds)
      throws IOException, InterruptedException, JobFailure {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket), ranks);
    Path log = socket.resolveSibling(socket.getFileName() + ".log");
    AllReduceJob job = new AllReduceJob(label, ranks, log, server);
    boolean started = false;
    try {
      Thread.ofPlatform().daemon().name(label + "-accept").start(job::accept);
      for (List<String> command : commands) {
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        job.processes.add(builder.start());
      }
      Map<SocketChannel, String> greetings = job.collect(seconds, "start");
      for (Map.Entry<SocketChannel, String> each : greetings.entrySet()) {
        String[] words = each.getValue().split(" ", 5);
        if (words.length < 4 || !words[2].equals(Integer.toString(ranks))) {
          throw job.failure("expected " + ranks + " ranks but was greeted: " + each.getValue());
        }
        int rank = Integer.parseInt(words[1]);
        job.threads[rank] = words[3];
        if (rank == 0 && words.length > 4) {
          job.description = words[4];
        }
      }
      job.channels.addAll(greetings.keySet());
      started = true;
      return job;
    } finally {
      if (!started) {
        job.close();
      }
    }
  }

  private void accept() {
    try {
      for (int i = 0; i < ranks; i++) {
        SocketChannel channel = server.accept();
        Thread.ofPlatform().daemon().name(label + "-reader-" + i).start(() -> read(channel));
      }
    } catch (IOException e) {
      // Closed: the thread that waits for ranks sees that none come.
    }
  }

  private void read(SocketChannel channel) {
    try (BufferedReader reader =
        new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        messages.add(new Message(channel, line));
      }
    } catch (IOException e) {
      // As good as an end.
    }
    messages.add(new Message(channel, ""));
  }

  /** Returns a line of every rank. */
  private Map<SocketChannel, String> collect(int seconds, String what)
      throws InterruptedException, JobFailure {
    Map<SocketChannel, String> lines = new LinkedHashMap<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (lines.size() < ranks) {
      Message message = messages.poll(200, TimeUnit.MILLISECONDS);
      if (message == null) {
        for (Process process : processes) {
          if (!process.isAlive()) {
            throw failure(
                what + ": process " + process.pid() + " ended with " + process.exitValue());
          }
        }
        if (System.nanoTime() - deadline > 0) {
          throw failure(
              "%s: only %s of %s ranks have answered within %s s"
                  .formatted(what, lines.size(), ranks, seconds));
        }
      } else if (message.text().isEmpty()) {
        processes.getFirst().waitFor(1, TimeUnit.SECONDS); // its last words are worth a moment
        throw failure(what + ": a rank has closed its connection");
      } else {
        lines.put(message.from(), message.text());
      }
    }
    return lines;
  }

  /** Returns a failure with the last words of the ranks. */
  public JobFailure failure(String what) {
    String words;
    try {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      words =
          String.join("\n  | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      words = "no log: " + e;
    }
    return new JobFailure(label + ": " + what + "; its last words:\n  | " + words);
  }

  /**
   * Runs all-reduces on all ranks: some that are not timed, a barrier, then those that are.
   *
   * @param bytes the size
   * @param warmup how many are not timed
   * @param iterations how many are
   * @param check whether to run one more and look at every element of its result
   * @return nanoseconds per all-reduce, of the slowest rank
   * @throws JobFailure when a result is wrong or a rank has failed
   */
  public double run(long bytes, long warmup, long iterations, boolean check)
      throws IOException, InterruptedException, JobFailure {
    String what =
        "run %d %d %d %d %d".formatted(bytes, warmup, iterations, check ? 1 : 0, COMMAND_SECONDS);
    double slowest = 0;
    for (String answer : ask(what)) {
      if (!answer.startsWith("ok ")) {
        throw failure(what + ": a rank answers: " + answer);
      }
      slowest = Math.max(slowest, Double.parseDouble(answer.substring(3)));
    }
    return slowest;
  }

  /**
   * Gives all ranks a command.
   *
   * @param what the command, one line
   * @return their answers, one line of each, in the order in which they came
   * @throws JobFailure when a rank ends or does not answer
   */
  public List<String> ask(String what) throws IOException, InterruptedException, JobFailure {
    byte[] line = (what + "\n").getBytes(StandardCharsets.UTF_8);
    for (SocketChannel channel : channels) {
      ByteBuffer buffer = ByteBuffer.wrap(line);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }
    return List.copyOf(collect(COMMAND_SECONDS + ANSWER_SECONDS, what).values());
  }

  /**
   * Binds each rank's calling thread to a processor of its own; its other threads stay free.
   *
   * @param cpus a processor for each rank
   */
  void pin(List<Integer> cpus) throws IOException, InterruptedException, JobFailure {
    for (int rank = 0; rank < ranks; rank++) {
      String cpu = cpus.get(rank).toString();
      Process taskset =
          new ProcessBuilder("taskset", "-p", "-c", cpu, threads[rank])
              .redirectErrorStream(true)
              .start();
      String words = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (taskset.waitFor() != 0) {
        throw failure("taskset of rank " + rank + " to processor " + cpu + ": " + words.strip());
      }
    }
  }

  /** Returns what rank 0 said of its connections. */
  public String description() {
    return description;
  }

  /** Returns the process ids, human-readable. */
  String pids() {
    return String.join(" ", processes.stream().map(each -> Long.toString(each.pid())).toList());
  }

  /** Ends the ranks: by the end of their connections, or else by force. */
  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel channel : channels) {
      if (channel.isOpen()) { // a thread that reads closes it where the rank has ended
        channel.shutdownOutput();
      }
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(channels.isEmpty() ? 0 : 5);
    boolean interrupted = false;
    for (Process process : processes) {
      try {
        process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    BenchDirectory.end(processes.stream().map(Process::toHandle).toList());
    for (SocketChannel channel : channels) {
      channel.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns where the ranks' standard output and error go. */
  public Path log() {
    return log;
  }
}
