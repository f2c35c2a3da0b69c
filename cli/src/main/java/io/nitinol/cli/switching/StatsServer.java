// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.nitinol.net.collnet.node.Switch;
import io.nitinol.net.collnet.node.SwitchStats;
import io.nitinol.toolkit.Addresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A switch's statistics over HTTP: a page for readers at {@code /} and Prometheus' text format at
 * {@code /metrics}. It only tells, and is for a loopback or management address.
 */
final class StatsServer {
  /** Bounds of the JDK's server, which by itself waits for a slow client for ever. */
  private static final Map<String, String> BOUNDS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "10",
          "jdk.httpserver.maxConnections", "64");

  private static final int BACKLOG = 16;

  private final HttpServer server;

  private StatsServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to answer, until the process ends.
   *
   * @throws IOException when it cannot listen at the address
   */
  static StatsServer start(InetSocketAddress at, Switch of) throws IOException {
    return start(at, of::stats, Addresses.text(of.address()));
  }

  static StatsServer start(InetSocketAddress at, Supplier<SwitchStats> source, String name)
      throws IOException {
    BOUNDS.forEach((property, value) -> {
      if (System.getProperty(property) == null) {
        System.setProperty(property, value);
      }
    });
    HttpServer server = HttpServer.create(at, BACKLOG);
    server.setExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("switch-stats").factory()));
    server.createContext(
        "/",
        exchange -> answer(exchange, "/", "text/html", () -> StatsPage.of(source.get(), name)));
    server.createContext(
        "/metrics",
        exchange ->
            answer(
                exchange, "/metrics", "text/plain; version=0.0.4", () -> Metrics.of(source.get())));
    server.start();
    return new StatsServer(server);
  }

  private static void answer(
      HttpExchange exchange, String path, String type, Supplier<String> content)
      throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      if (!exchange.getRequestURI().getPath().equals(path)) {
        exchange.sendResponseHeaders(404, -1); // a context answers for all that begins like it
        return;
      }
      byte[] body = content.get().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      if (method.equals("HEAD")) {
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Returns where it answers, with the port that it has. */
  InetSocketAddress address() {
    return server.getAddress();
  }

  /** Ends it, at once. */
  void stop() {
    server.stop(0);
  }
}
