// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.NetException;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.CollInstance;
import io.nitinol.tck.session.KitLog;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.TestTerms;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The process of a peer. It makes an instance of the plugin under test, executes the commands on
 * its standard input one after the other, and answers each with one line. When its standard input
 * ends, it ends without calling the plugin.
 */
public final class PeerMain {
  /** The beginning of an answer, which distinguishes it from the plugin's output. */
  static final String MARK = "@peer ";

  /** Says that the process has come up, and that its plugin is being initialized. */
  static final String UP = "@up";

  /** Asks where the thread stands that obeys; answered at once, also in the middle of a command. */
  static final String STACK = "stack";

  /** The mark of that answer, which has frames with tabs between them. */
  static final String STACK_MARK = "@stack ";

  private static final int STATUS_ALONE = 3;

  private PeerMain() {}

  static List<String> arguments(PluginUnderTest plugin, Lane lane, KitPatience patience) {
    return List.of(
        plugin.reference(),
        lane.kind().name(),
        Integer.toString(lane.provided()),
        Integer.toString(lane.presented()),
        Long.toString(patience.nanos()));
  }

  /**
   * Obeys until the input ends.
   *
   * @throws IOException when the reader of the answers is gone
   * @throws InterruptedException never: no thread of this process is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    OutputStream answers = new FileOutputStream(FileDescriptor.out);
    // What a plugin prints belongs to the report of a failure, not among the answers.
    System.setOut(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    Thread obeying = Thread.currentThread();
    Thread.ofPlatform()
        .daemon()
        .name("peer commands")
        .start(() -> read(commands, answers, obeying));
    print(answers, UP);
    Function<String[], String> puppet;
    try {
      PluginUnderTest plugin = PluginUnderTest.ofReference(args[0]);
      Lane lane =
          new Lane(Kind.valueOf(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      puppet = puppet(plugin, lane, new KitPatience(Long.parseLong(args[4])));
      answer(answers, "ok");
    } catch (Throwable e) {
      answer(answers, failure(e));
      throw e;
    }
    while (true) {
      String command = commands.take();
      String said;
      try {
        said = "ok " + puppet.apply(command.split(" ", -1));
      } catch (Throwable e) {
        said = failure(e);
      }
      answer(answers, said);
    }
  }

  private static Function<String[], String> puppet(
      PluginUnderTest plugin, Lane lane, KitPatience patience) {
    CallTrace trace = new CallTrace();
    KitLog log = new KitLog();
    return switch (lane.kind()) {
      case NET -> new Puppet(NetInstance.start(plugin, lane, trace, log).bare())::obey;
      case COLLNET -> new CollPuppet(CollInstance.start(plugin, lane, trace, log).bare())::obey;
      case DEVICE ->
          new DevicePuppet(new TestTerms(plugin, lane, "DEVMEM-09", false, 1, patience, trace, log))
              ::obey;
    };
  }

  private static void read(BlockingQueue<String> commands, OutputStream answers, Thread obeying) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(STACK)) {
          print(answers, STACK_MARK + frames(obeying.getStackTrace()));
        } else {
          commands.add(line);
        }
      }
    } catch (IOException e) {
      commands.clear(); // the same as the end: nobody is there any more
    }
    Runtime.getRuntime().halt(STATUS_ALONE);
  }

  private static String failure(Throwable e) {
    return switch (e) {
      case DeviceException device -> "refused " + device.failure() + " " + device.getMessage();
      case CallFailed call ->
          String.join(
              " ",
              PeerAnswer.CALL_FAILED,
              call.rule(),
              call.call(),
              call.failure().result().name(),
              call.failure().getMessage());
      case NetException net -> "fail " + net.result() + " " + net.getMessage();
      case RuleViolation broken -> "broken " + broken.rule() + " " + broken.getMessage();
      default -> "threw " + e;
    };
  }

  /** Replaces everything that ends a line for the reader and so would cut the answer. */
  static String line(String text) {
    return MARK + text.replace('\n', ' ').replace('\r', ' ').strip();
  }

  /** Writes one line, and a line's end before it in case the plugin left one open. */
  private static void answer(OutputStream out, String text) throws IOException {
    print(out, line(text));
  }

  private static void print(OutputStream out, String line) throws IOException {
    synchronized (out) { // of two threads
      out.write(("\n" + line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private static String frames(StackTraceElement[] stack) {
    return Arrays.stream(stack).map(StackTraceElement::toString).collect(Collectors.joining("\t"));
  }
}
