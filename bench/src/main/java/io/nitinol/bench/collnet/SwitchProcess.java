// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.core.launch.JvmCommand;
import io.nitinol.netns.Namespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The command {@code nitinol switch}; it ends with this process, however that ends. */
final class SwitchProcess implements AutoCloseable {
  private static final int SECONDS = 30;
  private static final Pattern LISTENS =
      Pattern.compile("^nitinol switch: listening at ([^\\s,]+)");

  /** A shell that ends when its standard input does, and the command with it. */
  private static final String KEEP = "\"$@\" & cat >/dev/null; kill $!; wait $!";

  private final Process process;
  private final Path log;
  private String address = "";

  private SwitchProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a switch and waits until it listens.
   *
   * @param in where it runs; null for where this process does
   * @param arguments those of the command
   * @param variables what to add to the environment
   * @param log a file for what it says
   * @throws IOException when it does not come to listen; the message has its words
   */
  static SwitchProcess start(
      @Nullable Namespace in, List<String> arguments, Map<String, String> variables, Path log)
      throws IOException {
    Module cli =
        ModuleLayer.boot()
            .findModule("io.nitinol.cli")
            .orElseThrow(() -> new IOException("the module io.nitinol.cli is not there"));
    List<String> words = new ArrayList<>(List.of("switch"));
    words.addAll(arguments);
    List<String> java = JvmCommand.ofThisProcess().run(cli, "io.nitinol.cli.Main", words);
    List<String> command = new ArrayList<>(List.of("sh", "-c", KEEP, "sh"));
    command.addAll(in == null ? java : in.command(java));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(variables);
    SwitchProcess started = new SwitchProcess(builder.start(), log);
    boolean there = false;
    try {
      started.awaitListening();
      there = true;
      return started;
    } finally {
      if (!there) {
        started.close();
      }
    }
  }

  private void awaitListening() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (address.isEmpty()) {
      for (String line : words().lines().toList()) {
        Matcher listens = LISTENS.matcher(line);
        if (listens.find()) {
          address = listens.group(1);
        }
      }
      // The shell around it stays when it ends.
      boolean ended = process.descendants().count() < 2 && !words().isEmpty();
      if (address.isEmpty() && (ended || System.nanoTime() - deadline > 0)) {
        throw new IOException("the switch does not listen; its words:\n" + words());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** Returns where it listens, as HOST:PORT. */
  String address() {
    return address;
  }

  /** Returns what it has said. */
  String words() throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    process.getOutputStream().close();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      all.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
