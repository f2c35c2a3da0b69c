// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the kit reports about a mistake, beside the rule's number. */
class FindingsTest {

  private static List<CaseResult> broken(Class<?> wrong, KitOptions options) {
    return Kit.run(PluginUnderTest.of(wrong), options.withSeed(1), new KitListener() {})
        .cases()
        .stream()
        .filter(result -> result.broken() != null)
        .toList();
  }

  private static KitOptions rules(String... ids) {
    return KitOptions.quick().only(Set.of(ids));
  }

  @Test
  void anOverflowIsReportedBeforeASizeThatIsMissingOrWrong() {
    for (Class<?> wrong :
        List.of(SizeMistakes.OverflowsWithoutAWord.class, SizeMistakes.CutsLongMessages.class)) {
      assertThat(broken(wrong, rules("NET-RECV-06").withoutProcesses()))
          .singleElement()
          .satisfies(result ->
              assertThat(result.why())
                  .isEqualTo(
                      "a message of 72 bytes for a piece of 64 overflowed it: byte 64, behind the"
                          + " piece, was written"));
    }
  }

  @Test
  void aCallThatThrowsIsNamedWithCodeAndTextWhereCallsAreNotTraced() {
    assertThat(
            broken(
                RareMistakes.ThrowsFromTestNowAndThen.class,
                rules("NET-MEM-03").withoutProcesses()))
        .isNotEmpty()
        .allSatisfy(result -> {
          assertThat(result.broken()).isEqualTo("NET-TEST-02");
          assertThat(result.why()).isEqualTo("test failed with SYSTEM_ERROR: busy");
        });
  }

  @Test
  void aCallThatThrowsIsNamedWithCodeAndText() {
    assertThat(
            broken(
                RareMistakes.ThrowsFromTestNowAndThen.class,
                rules("NET-TEST-02").withoutProcesses()))
        .singleElement()
        .satisfies(result ->
            assertThat(result.why())
                .matches("test of request \\d+ of \\d+ failed with SYSTEM_ERROR: busy"));
    assertThat(
            broken(
                RareMistakes.ThrowsWhenSixteenAreInFlight.class,
                rules("NET-SEND-03").withoutProcesses()))
        .singleElement()
        .satisfies(result -> {
          assertThat(result.broken()).isEqualTo("NET-SEND-04");
          assertThat(result.why())
              .isEqualTo(
                  "isend with 16 sends in flight failed with INTERNAL_ERROR: unable to allocate"
                      + " requests");
        });
  }

  @Test
  @Slow
  void propertiesOfADeviceThatDoesNotExistBreakOneRule() {
    Set<String> broken = new TreeSet<>();
    for (CaseResult result :
        broken(
            OldVersionMistakes.V4DescribesAnyDevice.class,
            rules("NET-DEV-03", "NET-INIT-07", "NET-THREAD-07"))) {
      broken.add(String.valueOf(result.broken()));
    }
    assertThat(broken).containsExactly("NET-DEV-03");
  }
}
