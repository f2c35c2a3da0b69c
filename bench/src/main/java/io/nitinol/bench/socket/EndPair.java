// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The two connected ends of a side, each a process that does what {@link EndProcess} describes. */
public final class EndPair implements Closeable {
  private static final int SECONDS = 60;
  private static final int LOG_LINES = 20;

  /** A side that cannot go on; the message has its last words. */
  public static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
      super(message);
    }
  }

  private static final class Peer {
    final Process process;
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Peer(Process process) {
      this.process = process;
      Thread.ofPlatform().daemon().name("end-" + process.pid()).start(this::read);
    }

    private void read() {
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          lines.add(line);
        }
      } catch (IOException e) {
        // As good as an end.
      }
      lines.add("");
    }

    void tell(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }
  }

  private final String label;
  private final Path log;
  private final List<Peer> ends = new ArrayList<>();

  private EndPair(String label, Path log) {
    this.label = label;
    this.log = log;
  }

  /**
   * Starts and connects two ends.
   *
   * @param connections how many connections streams go by
   * @param largest bytes of the largest message
   * @param environment more variables for both
   * @throws Failure when they do not get ready
   */
  public static EndPair start(
      Ends side,
      Place near,
      Place far,
      int connections,
      int largest,
      Map<String, String> environment)
      throws IOException, InterruptedException, Failure {
    EndPair pair = new EndPair(side.label(), Files.createTempFile("nitinol-bench", ".log"));
    boolean ready = false;
    try {
      for (boolean isNear : new boolean[] {true, false}) {
        Place place = isNear ? near : far;
        List<String> command = place.command(side.command(isNear, connections, largest, place));
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(pair.log.toFile()));
        builder.environment().putAll(side.environment(place));
        builder.environment().putAll(environment);
        pair.ends.add(new Peer(builder.start()));
      }
      String nearHandles = pair.answer(pair.ends.getFirst(), "handles ", "start");
      String farHandles = pair.answer(pair.ends.getLast(), "handles ", "start");
      pair.ends.getFirst().tell("connect " + farHandles);
      pair.ends.getLast().tell("connect " + nearHandles);
      pair.answers("connect");
      ready = true;
      return pair;
    } finally {
      if (!ready) {
        pair.close();
      }
    }
  }

  /**
   * Sends messages from the far end to the near end.
   *
   * @param check whether to look at what came
   * @return nanoseconds per message
   * @throws Failure when something is wrong with it or an end has failed
   */
  public double stream(int size, long count, boolean check)
      throws IOException, InterruptedException, Failure {
    return ask("stream " + size + " " + count + " " + (check ? 1 : 0)) / count;
  }

  /** Sends 8 bytes to and fro and returns nanoseconds per half round trip. */
  public double ping(long rounds) throws IOException, InterruptedException, Failure {
    return ask("ping " + rounds) / rounds / 2;
  }

  private double ask(String what) throws IOException, InterruptedException, Failure {
    for (Peer end : ends) {
      end.tell(what);
    }
    return answers(what);
  }

  /** Awaits both answers and returns the near end's nanoseconds. */
  private double answers(String what) throws InterruptedException, Failure {
    double nanos = Double.parseDouble(answer(ends.getFirst(), "ok ", what));
    answer(ends.getLast(), "ok ", what);
    return nanos;
  }

  private String answer(Peer end, String begin, String what) throws InterruptedException, Failure {
    String line = end.lines.poll(SECONDS, TimeUnit.SECONDS);
    if (line != null && line.startsWith(begin)) {
      return line.substring(begin.length());
    }
    String words;
    try {
      end.process.waitFor(1, TimeUnit.SECONDS); // its last words are worth a moment
      List<String> lines = Files.readAllLines(log);
      words =
          String.join("\n  | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      words = "no log: " + e;
    }
    String how = line == null ? "no answer in " + SECONDS + " s" : "answered \"" + line + "\"";
    throw new Failure(label + ": " + what + ": " + how + "; last words:\n  | " + words);
  }

  @Override
  public void close() throws IOException {
    for (Peer end : ends) {
      end.process.getOutputStream().close();
    }
    for (Peer end : ends) {
      try {
        if (!end.process.waitFor(2, TimeUnit.SECONDS)) {
          end.process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        end.process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    Files.deleteIfExists(log);
  }
}
