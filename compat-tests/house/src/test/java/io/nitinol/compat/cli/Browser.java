// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, driven by its DevTools protocol over loopback. */
final class Browser implements AutoCloseable {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** As {@code .ci/run} looks for them. */
  static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

  private static final String LISTENS = "DevTools listening on ";
  private static final int SECONDS = 60;
  private static final int POLL_MILLIS = 100;
  private static final int MOST_LINES = 1000;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();
  private final List<String> requests = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final WebSocket socket;
  private String session = "";
  private int asked;

  private Browser(Process process, URI endpoint) throws IOException, InterruptedException {
    this.process = process;
    this.socket = client.newWebSocketBuilder().buildAsync(endpoint, new Listener()).join();
    JsonNode page = ask("Target.createTarget", Map.of("url", "about:blank"));
    session =
        ask(
                "Target.attachToTarget",
                Map.of("targetId", page.path("targetId").asString(), "flatten", true))
            .path("sessionId")
            .asString();
    for (String domain : List.of("Page", "Network", "Log", "Runtime")) {
      JsonNode _ = ask(domain + ".enable", Map.of());
    }
  }

  /**
   * Starts the first one that works. A name may be a script that only says how to install one, or a
   * package that may not use the profile: that ends, and the next name is tried.
   *
   * @param names which programs to try, in this order
   * @param profiles an empty directory, where each has its profile
   * @param told gets a sentence for each name that is none
   * @return null where none works
   */
  static @Nullable Browser start(List<String> names, Path profiles, Consumer<String> told)
      throws IOException, InterruptedException {
    for (int i = 0; i < names.size(); i++) {
      Process process;
      try {
        process =
            new ProcessBuilder(
                    names.get(i),
                    "--headless",
                    "--no-sandbox", // root, as in a container, has no other way
                    "--disable-gpu",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--user-data-dir=" + profiles.resolve("profile-" + i),
                    "--remote-debugging-port=0")
                .redirectErrorStream(true)
                .start();
      } catch (IOException notThere) {
        told.accept(names.get(i) + " cannot be started");
        continue;
      }
      try {
        List<String> said = new ArrayList<>();
        URI endpoint = endpoint(process, said);
        if (endpoint != null) {
          return new Browser(process, endpoint);
        }
        String how = process.isAlive() ? " does not listen within " + SECONDS + " s" : " has ended";
        told.accept(names.get(i) + how + ", and said: " + String.join(" ", said));
        end(process);
      } catch (IOException | InterruptedException | RuntimeException e) {
        process.destroyForcibly();
        throw e;
      }
    }
    return null;
  }

  /**
   * Waits until the browser listens.
   *
   * @param said gets what it says before
   * @return null where it has ended, or the time is over
   */
  private static @Nullable URI endpoint(Process process, List<String> said)
      throws InterruptedException {
    BlockingQueue<String> lines = new ArrayBlockingQueue<>(MOST_LINES);
    BufferedReader reader = process.inputReader();
    Thread drain = Thread.ofVirtual().start(() -> drain(reader, lines));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    boolean over = false;
    while (System.nanoTime() - end < 0) {
      if (!over && !process.isAlive()) {
        over = true;
        boolean _ = drain.join(LAST_WORDS); // or a process that it has left behind keeps it open
      }
      String line = lines.poll(over ? 0 : POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (line == null) {
        if (over) {
          return null;
        }
      } else if (line.startsWith(LISTENS)) {
        return URI.create(line.substring(LISTENS.length()).strip());
      } else {
        said.add(line);
      }
    }
    return null;
  }

  /**
   * Reads all that the browser says, so that it never waits for a reader. What nobody takes, as
   * after it listens, is dropped.
   */
  private static void drain(BufferedReader reader, BlockingQueue<String> lines) {
    try {
      reader
          .lines()
          .forEach(line -> {
            boolean _ = lines.offer(line);
          });
    } catch (UncheckedIOException ended) {
      // by close, or with the process
    }
  }

  /** Puts the parts of messages together. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        heard.add(MAPPER.readTree(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Asks the browser, or the page once there is one, and waits for the answer. */
  private JsonNode ask(String method, Map<String, ?> parameters)
      throws IOException, InterruptedException {
    asked++;
    Map<String, Object> request =
        session.isEmpty()
            ? Map.of("id", asked, "method", method, "params", parameters)
            : Map.of("id", asked, "method", method, "params", parameters, "sessionId", session);
    socket.sendText(MAPPER.writeValueAsString(request), true).join();
    while (true) {
      JsonNode message = next(method);
      if (message.path("id").asInt(0) == asked) {
        if (message.has("error")) {
          throw new IOException(method + ": " + message.path("error"));
        }
        return message.path("result");
      }
    }
  }

  private JsonNode next(String wanted) throws IOException, InterruptedException {
    JsonNode message = heard.poll(SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new IOException(wanted + ": the browser says nothing within " + SECONDS + " s");
    }
    JsonNode parameters = message.path("params");
    switch (message.path("method").asString("")) {
      case "Network.requestWillBeSent" ->
          requests.add(parameters.path("request").path("url").asString());
      case "Log.entryAdded" -> complaints.add(parameters.path("entry").path("text").asString());
      case "Runtime.consoleAPICalled", "Runtime.exceptionThrown" ->
          complaints.add(parameters.toString());
      default -> {}
    }
    return message;
  }

  /** Goes to a page, in a window of this width, and waits until it is loaded. */
  void open(Path page, int width, boolean dark) throws IOException, InterruptedException {
    JsonNode _ =
        ask(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    Map<String, String> scheme =
        Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
    JsonNode _ = ask("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    requests.clear();
    complaints.clear();
    JsonNode _ = ask("Page.navigate", Map.of("url", page.toUri().toString()));
    while (!next("load").path("method").asString("").equals("Page.loadEventFired")) {
      // the events before it
    }
  }

  /** Returns the value of an expression in the page, as text. */
  String value(String expression) throws IOException, InterruptedException {
    JsonNode found = ask("Runtime.evaluate", Map.of("expression", "String(" + expression + ")"));
    if (found.has("exceptionDetails")) {
      throw new IOException(expression + ": " + found.path("exceptionDetails"));
    }
    return found.path("result").path("value").asString();
  }

  /** Presses Tab once. */
  void tab() throws IOException, InterruptedException {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      JsonNode _ =
          ask(
              "Input.dispatchKeyEvent",
              Map.of("type", type, "key", "Tab", "code", "Tab", "windowsVirtualKeyCode", 9));
    }
  }

  /** Returns what the page has asked for since it was opened, itself included. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** Returns what the browser has complained about since the page was opened. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  @Override
  public void close() throws InterruptedException {
    socket.abort();
    client.shutdownNow();
    end(process);
  }

  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    int _ = process.waitFor();
    all.forEach(each -> each.onExit().join()); // so that its profile can be deleted
  }
}
