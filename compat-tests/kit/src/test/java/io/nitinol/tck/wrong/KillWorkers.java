// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.core.launch.JvmCommand;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A few processes that share the rows of the kill table, each with the next one as soon as it has
 * done one. A process runs one row at a time: in it, the threads of one plugin would be taken for
 * another's. It runs many in all, so that its code is compiled, and a plugin that allocates nothing
 * is not seen to allocate.
 */
final class KillWorkers implements AutoCloseable {
  /** The rows mostly wait, so there are more processes than processors. */
  private static final int MOST = Integer.getInteger("nitinol.kill.workers", 6);

  /** How long a new process may take to call, on a busy machine. */
  private static final int START_MILLIS = 60_000;

  /** How long a row may take, against all rules on a busy machine. */
  private static final int ROW_MILLIS = 900_000;

  /** How long a process that has closed its connection may take to end by itself. */
  private static final int END_SECONDS = 30;

  private final Map<Class<?>, CompletableFuture<String>> failures = new LinkedHashMap<>();
  private final Queue<Class<?>> rows = new ConcurrentLinkedQueue<>();
  private final Queue<Process> started = new ConcurrentLinkedQueue<>();
  private final Function<Class<?>, Set<String>> rules;

  /**
   * Begins with the first rows.
   *
   * @param rules the rules that a row is held against; none stands for all of them
   */
  KillWorkers(List<Class<?>> wrong, Function<Class<?>, Set<String>> rules) {
    this.rules = rules;
    wrong.forEach(row -> failures.put(row, new CompletableFuture<>()));
    rows.addAll(wrong);
    for (int i = 0; i < Math.min(MOST, wrong.size()); i++) {
      Thread.ofPlatform().daemon().name("kill-" + i).start(this::serve);
    }
  }

  /** Waits for a row and fails with what its process reports. */
  void await(Class<?> wrong) throws InterruptedException, ExecutionException {
    String failure = failures.get(wrong).get();
    if (!failure.isEmpty()) {
      throw new AssertionError(failure);
    }
  }

  /** Hands rows to one process until there are none; begins another one where it ends too soon. */
  private void serve() {
    Class<?> row = rows.poll();
    while (row != null) {
      try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        listener.setSoTimeout(START_MILLIS);
        Process process = start(listener.getLocalPort());
        try (Socket socket = accept(listener);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
          while (row != null) {
            out.writeUTF(row.getName().substring(row.getPackageName().length() + 1));
            out.writeUTF(String.join(",", rules.apply(row)));
            failures.get(row).complete(in.readUTF());
            row = rows.poll();
          }
        } catch (EOFException e) {
          // 137: a signal ended it; the kernel sends one when there is no memory left.
          throw new IOException(
              "process %d ended in mid row, with status %d"
                  .formatted(process.pid(), status(process)),
              e);
        }
      } catch (IOException e) {
        if (row != null) {
          failures.get(row).completeExceptionally(e);
          row = rows.poll();
        }
      }
    }
  }

  /** Waits for the end of a process, and ends one that takes long; returns its status. */
  private static int status(Process process) throws IOException {
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before process %d ended".formatted(process.pid()), e);
    }
  }

  private static Socket accept(ServerSocket listener) throws IOException {
    Socket socket = listener.accept();
    socket.setSoTimeout(ROW_MILLIS);
    return socket;
  }

  private Process start(int port) throws IOException {
    List<String> command =
        JvmCommand.ofThisProcess()
            .withoutAgents()
            .run(KillWorker.class, List.of(Integer.toString(port)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    return process;
  }

  @Override
  public void close() {
    rows.clear();
    started.forEach(Process::destroyForcibly);
  }
}
