// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelatedCallsTest {

  @Test
  void keepsWhatMadeTheRequestsAndCommsOfTheLastCalls() {
    List<String> trace = new ArrayList<>();
    trace.add("connect(handle 1) -> Send@1");
    trace.add("connect(handle 2) -> Send@2");
    trace.add("isend(Send@1, length 7) -> Request@a");
    for (int i = 0; i < 50; i++) {
      trace.add("regMr(Send@2) -> Memory@" + i);
    }
    trace.add("test(Request@a) -> true, sizes [6]");
    List<String> chosen = RelatedCalls.choose(trace, 6);
    assertThat(chosen)
        .hasSize(6)
        .startsWith("connect(handle 1) -> Send@1", "connect(handle 2) -> Send@2")
        .contains("isend(Send@1, length 7) -> Request@a")
        .endsWith("test(Request@a) -> true, sizes [6]");
  }

  @Test
  void keepsAShortTraceWhole() {
    List<String> trace = List.of("init() -> done", "devices() -> 1", "listen(0) -> Listener@1");
    assertThat(RelatedCalls.choose(trace, 12)).isEqualTo(trace);
  }

  @Test
  void stepsOfTheTestStandAboveTheCallsAndTakeNoRoomFromThem() {
    List<String> trace = List.of("step 1 of 2: a", "step 2 of 2: b", "x() -> 1", "y() -> 2");
    assertThat(RelatedCalls.chooseWithStacks(trace, 1))
        .containsExactly("step 1 of 2: a", "step 2 of 2: b", "y() -> 2");
  }

  @Test
  void ofManyStepsTheLastAreShownAndTheOthersCounted() {
    List<String> trace = new ArrayList<>();
    for (int i = 1; i <= 43; i++) {
      trace.add("step " + i + " of 43: a");
    }
    trace.add("x() -> 1");
    assertThat(RelatedCalls.chooseWithStacks(trace, 1))
        .hasSize(42)
        .startsWith("step ... 3 more in the JSON report", "step 4 of 43: a")
        .endsWith("step 43 of 43: a", "x() -> 1");
  }

  @Test
  void whatThePluginLoggedStandsBetweenTheStepsAndTheCalls() {
    List<String> trace = new ArrayList<>(List.of("step 1 of 1: a"));
    for (int i = 1; i <= 13; i++) {
      trace.add("logged WARN [t] " + i);
    }
    trace.addAll(List.of("x() -> 1", "y() -> 2"));
    assertThat(RelatedCalls.chooseWithStacks(trace, 1))
        .hasSize(14)
        .startsWith("step 1 of 1: a", "logged WARN [t] 2")
        .endsWith("logged WARN [t] 13", "y() -> 2");
  }
}
