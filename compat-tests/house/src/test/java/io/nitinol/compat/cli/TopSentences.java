// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code nitinol top}, and {@code diagnose}, say of two stuck ranks, wherever these are. */
final class TopSentences {
  /** Deeds of {@link DiagnosedRank}, each with the call that rank 1 makes then. */
  static final String OTHER_COUNT = "count, all_reduce of 8 float sum";

  static final String OTHER_COLLECTIVE = "collective, 'broadcast of 16 float, root 0'";

  private TopSentences() {}

  /** Rank 1 has not made the call in which rank 0 waits. */
  static void requireBehind(String said) {
    assertThat(said)
        .contains("Rank 1 is behind: it has called 1 collective(s), another rank 2")
        .contains("it has not called collective 2, all_reduce of 16 float sum")
        .contains("Rank 0 waits for rank 1 over NET/Socket: ")
        .doesNotContain("not answer", "disagree", "does not arrive");
  }

  /** Rank 1 has made another call than rank 0, and both have failed by that. */
  static void requireDisagreement(String said, String call) {
    assertThat(said)
        .contains("The ranks disagree in collective 2: ")
        .contains("rank 0 called all_reduce of 16 float sum")
        .contains("rank 1 called " + call)
        .contains("Rank 0 failed: ", "Rank 1 failed: ")
        .doesNotContain("not answer", "behind");
  }

  /** Both ranks have made the same call, and nothing arrives. */
  static void requireLostLink(String said) {
    assertThat(said)
        .contains(
            "Ranks 0 and 1 have made the same calls and wait for each other: what is sent between"
                + " them over NET/Socket does not arrive")
        .doesNotContain("not answer", "behind", "disagree");
  }
}
