// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.compat.cli.CommandProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code nitinol switch}, mostly on the loopback interface, with its statistics. */
final class SwitchProcess implements AutoCloseable {
  private static final int SECONDS = 240;
  private static final Pattern GREETING =
      Pattern.compile("nitinol switch: listening at ([^\\s,]+), .*statistics at (\\S+)/");

  private final Process process;
  private final String address;
  private final String page;

  private SwitchProcess(Process process, String address, String page) {
    this.process = process;
    this.address = address;
    this.page = page;
  }

  /** Starts a switch and waits until it listens. */
  static SwitchProcess start(String... arguments) throws IOException, InterruptedException {
    return start(Map.of(), arguments);
  }

  /** The same with variables of its own. */
  static SwitchProcess start(Map<String, String> variables, String... arguments)
      throws IOException, InterruptedException {
    return startBy(UnaryOperator.identity(), "127.0.0.1:0", variables, arguments);
  }

  /** The same behind another command, {@code around}, and at another address. */
  static SwitchProcess startBy(
      UnaryOperator<List<String>> around,
      String listen,
      Map<String, String> variables,
      String... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("switch", "--listen", listen, "--stats", "0"));
    words.addAll(List.of(arguments));
    List<String> command = CommandProcess.command(words);
    ProcessBuilder builder =
        new ProcessBuilder(around.apply(command)).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
    builder.environment().putAll(variables);
    Process process = builder.start();
    Thread limit =
        Thread.ofVirtual()
            .start(() -> {
              try {
                TimeUnit.SECONDS.sleep(SECONDS);
                process.destroyForcibly(); // so that reading from it ends
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    limit.interrupt();
    Matcher greeting = GREETING.matcher(String.valueOf(line));
    if (!greeting.matches()) {
      process.destroyForcibly();
      throw new AssertionError("the switch says " + line);
    }
    Thread.ofPlatform().daemon().start(() -> drain(out));
    return new SwitchProcess(process, greeting.group(1), greeting.group(2));
  }

  private static void drain(BufferedReader out) {
    try {
      out.lines().forEach(System.err::println);
    } catch (UncheckedIOException e) {
      System.err.println("the switch cannot be read any more: " + e);
    }
  }

  /** Returns where it listens. */
  String address() {
    return address;
  }

  /** Returns a figure of its statistics, such as {@code groups_admitted_total}. */
  long figure(String name) throws IOException {
    URLConnection connection = URI.create(page + "/metrics").toURL().openConnection();
    connection.setConnectTimeout(5000);
    connection.setReadTimeout(5000);
    try (InputStream in = connection.getInputStream()) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> line.startsWith("nitinol_switch_" + name + " "))
          .map(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + name + " in " + text));
    }
  }

  void kill() {
    process.destroyForcibly();
  }

  /** Sends SIGTERM, and returns the exit status. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the switch did not end within " + SECONDS + " s of SIGTERM");
    }
    return process.exitValue();
  }

  /** Sends a signal, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
