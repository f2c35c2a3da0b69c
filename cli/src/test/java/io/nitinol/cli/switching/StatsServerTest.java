// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.node.SwitchStats;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatsServerTest {
  private static final SwitchStats STATS =
      new SwitchStats(
          90_061_500_000_000L,
          7,
          2,
          1,
          40,
          4000,
          3L << 30,
          2048,
          1023,
          5 << 20,
          1L << 40,
          List.of(
              new SwitchStats.GroupStats(
                  "c0ffee", "running", 8, 4, 4, 40, 4000, 2048, 1023, 5 << 20),
              new SwitchStats.GroupStats("<b>", "forming", 3, 1, 1, 0, 0, 0, 0, 0)));

  private StatsServer server;

  @BeforeEach
  void start() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = StatsServer.start(any, () -> STATS, "10.0.0.1:7777");
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private HttpURLConnection ask(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(5000);
    connection.setReadTimeout(5000);
    return connection;
  }

  private String content(String path, String type) throws Exception {
    HttpURLConnection connection = ask("GET", path);
    assertThat(connection.getResponseCode()).isEqualTo(200);
    assertThat(connection.getContentType()).isEqualTo(type);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void thePageIsForPeople() throws Exception {
    assertThat(content("/", "text/html; charset=utf-8"))
        .startsWith("<!DOCTYPE html>")
        .contains("<h1>nitinol switch 10.0.0.1:7777</h1>")
        .contains("<td>up</td><td>1 d 01:01:01</td>")
        .contains("<td>reduced</td><td>3.0 GiB</td>")
        .contains("<td>sent</td><td>1023 B</td>")
        .contains("<td>memory</td><td>5.0 MiB of 1.0 TiB</td>")
        .contains("<td>c0ffee</td><td>running</td><td>4</td><td>8</td>")
        .contains("&lt;b&gt;")
        .doesNotContain("<b>");
  }

  @Test
  void theMetricsAreForPrometheus() throws Exception {
    String text = content("/metrics", "text/plain; version=0.0.4; charset=utf-8");
    assertThat(text.lines())
        .contains(
            "# TYPE nitinol_switch_up_seconds gauge",
            "nitinol_switch_up_seconds 90061.500",
            "nitinol_switch_groups{state=\"forming\"} 1",
            "nitinol_switch_groups{state=\"closing\"} 0",
            "nitinol_switch_children 5",
            "# TYPE nitinol_switch_reduced_bytes_total counter",
            "nitinol_switch_reduced_bytes_total 3221225472",
            "nitinol_switch_group_failures_total 1",
            "nitinol_switch_memory_limit_bytes 1099511627776");
    Set<String> described = new TreeSet<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        assertThat(described.add(line.split(" ", -1)[2])).as(line).isTrue();
      } else if (!line.startsWith("# HELP ")) {
        assertThat(line).matches("nitinol_switch_[a-z_]+(\\{state=\"[a-z]+\"})? [0-9.]+");
        assertThat(described).contains(line.split("[ {]", -1)[0]);
      }
    }
    assertThat(text).endsWith("\n");
  }

  @Test
  void nothingElseIsAnswered() throws Exception {
    assertThat(ask("GET", "/metrics/x").getResponseCode()).isEqualTo(404);
    assertThat(ask("GET", "/favicon.ico").getResponseCode()).isEqualTo(404);
    assertThat(ask("POST", "/metrics").getResponseCode()).isEqualTo(405);
    HttpURLConnection head = ask("HEAD", "/");
    assertThat(head.getResponseCode()).isEqualTo(200);
    assertThat(head.getInputStream().readAllBytes()).isEmpty();
  }
}
