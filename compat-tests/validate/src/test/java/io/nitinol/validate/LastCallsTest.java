// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastCallsTest {
  private final LastCalls trace = new LastCalls(3);

  /** Returns the lines without their times. */
  private List<String> dump() {
    return trace.dump().stream()
        .map(line -> line.replaceFirst("^-?\\d+\\.\\d{3} ms  ", ""))
        .map(line -> line.replaceFirst(", the last at \\d+\\.\\d{3} ms", ", the last at T"))
        .toList();
  }

  @Test
  void argumentsAndOutcomes() {
    trace.end(trace.begin("devices"), "", 2);
    trace.end(trace.begin("regMr", LastCalls.ADDRESS, 0x7f00, "size", 16), "a handle");
    trace.record("reduceSupport", "INT8, SUM", "true");
    assertThat(dump())
        .containsExactly(
            "devices() ->  2",
            "regMr(address 0x7f00, size 16) -> a handle",
            "reduceSupport(INT8, SUM) -> true");
  }

  @Test
  void aCallThatNeverReturnsIsSeen() {
    trace.begin("accept");
    assertThat(dump()).containsExactly("accept() -> (under way)");
  }

  @Test
  void onlyTheLastOnesAreKept() {
    for (int i = 0; i < 5; i++) {
      trace.end(trace.begin("isend", "offset", i), "null");
    }
    assertThat(dump())
        .containsExactly(
            "isend(offset 2) -> null", "isend(offset 3) -> null", "isend(offset 4) -> null");
  }

  @Test
  void pollsTakeOneLine() {
    trace.record("listen", "", "ok");
    for (int i = 0; i < 1000; i++) {
      trace.end(trace.begin("test", "request", 1), "false");
    }
    trace.end(trace.begin("test", "request", 1), "true");
    assertThat(dump())
        .containsExactly(
            "listen() -> ok",
            "test(request 1) -> false  (1000 times, the last at T)",
            "test(request 1) -> true");
  }

  @Test
  void aTicketThatHasLeftTheRingIsIgnored() {
    long first = trace.begin("accept");
    for (int i = 0; i < 3; i++) {
      trace.end(trace.begin("isend", "offset", i), "null");
    }
    trace.end(first, "a comm");
    assertThat(dump()).noneMatch(line -> line.contains("a comm")).hasSize(3);
  }

  @Test
  void callsOfSeveralThreadsDoNotMix() throws InterruptedException {
    LastCalls shared = new LastCalls(8);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      String method = "m" + t;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 20_000; i++) {
                  shared.end(shared.begin(method, "i", i), method, i);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(shared.dump())
        .isNotEmpty()
        .allMatch(line -> line.matches(".* (m\\d)\\(i (\\d+)\\) -> \\1 \\2"));
  }
}
