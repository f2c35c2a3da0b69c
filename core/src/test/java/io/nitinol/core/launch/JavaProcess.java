// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.Addresses;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A program of core's tests in a process of its own: starts it and listens to its lines. */
public class JavaProcess implements AutoCloseable {
  private static final String END = "end of output";

  /** Watches over a program that hangs; a busy machine stays far below it. */
  private static final long LIMIT = TimeUnit.MINUTES.toNanos(4);

  protected final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> unused = new ArrayList<>();

  /**
   * Starts the program.
   *
   * @param prefix the command by way of which it is started; empty for none
   * @param options those of the JVM
   */
  protected JavaProcess(
      List<String> prefix, List<String> options, Class<?> main, List<String> arguments)
      throws IOException {
    String path =
        String.join(
            File.pathSeparator,
            location(Settings.class),
            location(Addresses.class),
            location(JvmCommand.class),
            Path.of("target", "test-classes").toAbsolutePath().toString());
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx64m", "-cp", path));
    command.addAll(options);
    command.add(main.getName());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("NITINOL_KERNELS", "scalar"); // else it says how to get others
    this.process = builder.start();
    Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::read);
  }

  /** Returns the directory or jar from which a class comes. */
  protected static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("lost: " + e);
    }
    lines.add(END);
  }

  /** Waits for the next line that begins with {@code start} and returns the rest of it. */
  public final String await(String start) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT;
    int looked = 0;
    while (true) {
      for (; looked < unused.size(); looked++) {
        if (unused.get(looked).startsWith(start)) {
          return unused.remove(looked).substring(start.length()).strip();
        }
      }
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null || line.equals(END)) {
        throw new AssertionError("no line \"" + start + "...\" came, but " + unused);
      }
      unused.add(line);
    }
  }

  /** Tells the program, which reads its standard input, to go on. */
  public final void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  public final long pid() {
    return process.pid();
  }

  public final void kill() {
    process.destroyForcibly();
  }

  /** Waits for the end of the process and returns its exit status. */
  public final int exit() throws InterruptedException {
    if (!process.waitFor(LIMIT, TimeUnit.NANOSECONDS)) {
      throw new AssertionError("process " + process.pid() + " does not end");
    }
    return process.exitValue();
  }

  @Override
  public final void close() {
    process.destroyForcibly();
  }

  /** Tells the test, which listens to standard output, a line. */
  @SuppressWarnings("SystemOut")
  protected static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
