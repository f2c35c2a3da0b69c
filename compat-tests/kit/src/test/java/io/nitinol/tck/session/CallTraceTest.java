// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallTraceTest {
  private final CallTrace trace = new CallTrace();
  private final TracedCalls calls = new TracedCalls(trace);
  private final long start = System.nanoTime();

  private static final class Token {}

  private List<String> dump() {
    return trace.dump(start, System.nanoTime());
  }

  @Test
  void pollsInTurnTakeALineEach() {
    Token one = new Token();
    Token other = new Token();
    for (int i = 0; i < 500; i++) {
      calls.test(one, null, () -> false);
      calls.test(other, null, () -> false);
    }
    calls.test(one, null, () -> true);
    assertThat(dump())
        .hasSize(2)
        .anyMatch(line -> line.endsWith(CallTrace.name(other) + ") -> false (and 499 times more)"))
        .anyMatch(line -> line.endsWith(CallTrace.name(one) + ") -> true (and 500 times more)"));
    calls.test(one, null, () -> false);
    assertThat(dump()).as("another life of the same object").hasSize(3);
  }

  @Test
  void aCallThatIsAnsweredAfterOthersShowsItsOwnArguments() {
    Token comm = new Token();
    calls.<Token>poll("isend", comm, () -> "length 1", () -> null);
    calls.<Token>poll("isend", comm, () -> "length 2", Token::new);
    assertThat(dump()).singleElement().asString().contains("isend(length 2) -> Token@");
  }

  @Test
  void whatMadeACommAndARequestIsKept() {
    calls.call("accept", null, "", Token::new);
    calls.call("isend", null, "", Token::new);
    for (int i = 0; i < 1000; i++) {
      calls.run("regMr", null, "", () -> {});
    }
    assertThat(dump())
        .anyMatch(line -> line.contains("accept("))
        .anyMatch(line -> line.contains("isend("));
  }

  @Test
  void whatFollowsTheFailureIsNotShown() {
    calls.run("regMr", null, "", () -> {});
    long failure = System.nanoTime();
    while (System.nanoTime() == failure) {
      Thread.onSpinWait();
    }
    calls.run("closeSend", null, "", () -> {});
    assertThat(trace.dump(start, failure)).singleElement().asString().contains("regMr");
  }
}
