// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastCallsTest {
  private final LastCalls calls = new LastCalls(3);

  private long begin(String method) {
    return calls.begin(System.nanoTime(), method, new CallArguments());
  }

  private static long begin(LastCalls calls, String method, String name, long value) {
    CallArguments arguments = new CallArguments();
    arguments.add(name, value);
    return calls.begin(System.nanoTime(), method, arguments);
  }

  private void end(long ticket, String outcome) {
    calls.end(System.nanoTime(), ticket, outcome);
  }

  private void record(String method, String text, String outcome) {
    CallArguments arguments = new CallArguments();
    arguments.set(text);
    end(calls.begin(System.nanoTime(), method, arguments), outcome);
  }

  /** Returns the lines without their times. */
  private List<String> dump() {
    return calls.dump().stream()
        .map(line -> line.replaceFirst("^-?\\d+\\.\\d{3} ms  ", ""))
        .map(line -> line.replaceFirst(", the last at \\d+\\.\\d{3} ms", ", the last at T"))
        .toList();
  }

  @Test
  void argumentsAndOutcomes() {
    calls.end(System.nanoTime(), begin("devices"), "", 2);
    CallArguments memory = new CallArguments();
    memory.add(CallArguments.ADDRESS, 0x7f00);
    memory.add("size", 16);
    end(calls.begin(System.nanoTime(), "regMr", memory), "a handle");
    record("reduceSupport", "INT8, SUM", "true");
    assertThat(dump())
        .containsExactly(
            "devices() ->  2",
            "regMr(address 0x7f00, size 16) -> a handle",
            "reduceSupport(INT8, SUM) -> true");
  }

  @Test
  void aCallThatNeverReturnsIsSeen() {
    begin("accept");
    assertThat(dump()).containsExactly("accept() -> (under way)");
  }

  @Test
  void onlyTheLastOnesAreKept() {
    for (int i = 0; i < 5; i++) {
      end(begin(calls, "isend", "offset", i), "null");
    }
    assertThat(dump())
        .containsExactly(
            "isend(offset 2) -> null", "isend(offset 3) -> null", "isend(offset 4) -> null");
  }

  @Test
  void pollsTakeOneLine() {
    record("listen", "", "ok");
    for (int i = 0; i < 1000; i++) {
      end(begin(calls, "test", "request", 1), "false");
    }
    end(begin(calls, "test", "request", 1), "true");
    assertThat(dump())
        .containsExactly(
            "listen() -> ok",
            "test(request 1) -> false  (1000 times, the last at T)",
            "test(request 1) -> true");
  }

  @Test
  void aTicketThatHasLeftTheRingIsIgnored() {
    long first = begin("accept");
    for (int i = 0; i < 3; i++) {
      end(begin(calls, "isend", "offset", i), "null");
    }
    end(first, "a comm");
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
                  shared.end(System.nanoTime(), begin(shared, method, "i", i), method, i);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join(240_000);
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(shared.dump())
        .isNotEmpty()
        .allMatch(line -> line.matches(".* (m\\d)\\(i (\\d+)\\) -> \\1 \\2"));
  }
}
