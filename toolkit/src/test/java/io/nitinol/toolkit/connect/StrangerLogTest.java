// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many connections that are dropped make few lines. */
class StrangerLogTest {
  private final List<String> lines = new ArrayList<>();

  private static void drop(StrangerLog log, int host, int times) {
    for (int i = 0; i < times; i++) {
      log.dropped("192.0.2." + host + ":" + (1024 + i), "it said nothing");
    }
  }

  @Test
  void theFirstOnesAreToldAndThenEachDoubling() {
    StrangerLog log = new StrangerLog(lines::add, "here", 2);
    drop(log, 1, 100);
    drop(log, 2, 1);
    assertThat(lines).hasSize(2 + 5); // 4, 8, 16, 32 and 64 are doublings
    assertThat(lines.getFirst())
        .isEqualTo("here dropped a connection from 192.0.2.1:1024: it said nothing");
    assertThat(lines.getLast()).endsWith("(the 64th so dropped)");
  }

  @Test
  void byHostTheFirstOfEachIsToldToo() {
    StrangerLog log = StrangerLog.byHost(lines::add, "here", 2);
    drop(log, 1, 100);
    lines.clear();
    drop(log, 2, 10);
    assertThat(lines).singleElement().asString().contains("from 192.0.2.2:1024: ");
    lines.clear();
    for (int host = 3; host < 100; host++) {
      drop(log, host, 1);
    }
    assertThat(lines).as("14 more hosts, and the doubling at 128").hasSize(14 + 1);
  }
}
