// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.spi.net.v12.Net;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An end in a process of its own, told what to do through its standard input, so that one that is
 * not measured waits in a read and uses no processor. First it says
 *
 * <pre>
 *   handles WORD
 * </pre>
 *
 * then it answers {@code connect WORD}, {@code stream BYTES COUNT CHECK} and {@code ping COUNT},
 * which both ends get at the same time, with {@code ok NANOSECONDS} or {@code wrong REASON}. A
 * stream begins with a call from the near end, so that the time of the near end is that of the
 * stream. {@code socket_peer.c} does the same.
 */
public final class EndProcess {
  private EndProcess() {}

  /**
   * Runs an end of the plugin.
   *
   * @param arguments {@code near} or {@code far}, the number of connections, the bytes of the
   *     largest message; then, or not, the words of a {@link Manner}
   */
  public static void main(String[] arguments) throws IOException {
    run(arguments, PluginEnd.plugin());
  }

  /** Runs an end of another plugin, which is not initialized; arguments as for {@link #main}. */
  public static void run(String[] arguments, Net net) throws IOException {
    Manner manner = Manner.of(List.of(arguments).subList(3, arguments.length));
    run(
        arguments,
        (near, connections, largest) -> new PluginEnd(net, near, connections, largest, manner));
  }

  /** Runs an end until standard input ends; arguments as for {@link #main}. */
  public static void run(String[] arguments, End.Maker maker) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    boolean near = arguments[0].equals("near");
    int connections = Integer.parseInt(arguments[1]);
    try (End end = maker.make(near, connections, Integer.parseInt(arguments[2]))) {
      out.println("handles " + end.handles());
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(answer(end, near, line.split(" ", -1)));
      }
    }
  }

  private static String answer(End end, boolean near, String[] words) {
    long start = System.nanoTime();
    switch (words[0]) {
      case "connect" -> end.connect(words[1]);
      case "stream" -> {
        int size = Integer.parseInt(words[1]);
        long count = Long.parseLong(words[2]);
        boolean check = words[3].equals("1");
        if (!near) {
          end.awaitCall();
          end.send(size, count);
          break;
        }
        if (check) {
          end.clear(size);
        }
        start = System.nanoTime();
        end.call();
        end.receive(size, count);
        long nanos = System.nanoTime() - start;
        String wrong = check ? end.check(size, (int) Math.min(count, End.SLOTS)) : "";
        return wrong.isEmpty() ? "ok " + nanos : "wrong " + wrong;
      }
      case "ping" -> {
        long count = Long.parseLong(words[1]);
        if (near) {
          end.ping(count);
        } else {
          end.pong(count);
        }
      }
      default -> throw new IllegalArgumentException("not understood: " + words[0]);
    }
    return "ok " + (System.nanoTime() - start);
  }
}
