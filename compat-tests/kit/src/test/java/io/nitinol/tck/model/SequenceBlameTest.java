// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.model.NetStep.CloseListener;
import io.nitinol.tck.model.NetStep.Open;
import io.nitinol.tck.model.NetStep.Post;
import io.nitinol.tck.model.NetStep.RegisterAgain;
import io.nitinol.tck.model.NetStep.Send;
import io.nitinol.tck.spec.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rule is named after a sequence that no step can be left out of. */
class SequenceBlameTest {
  private static final Open OPEN = new Open(0, 0, 64);

  private static String rule(
      String seen,
      @Nullable ResultCode code,
      boolean waited,
      boolean tagsMatter,
      NetStep... steps) {
    NetException cause = code == null ? null : new NetException(code, "no");
    String rule =
        SequenceBlame.rule(
            new RuleViolation(seen, "seen", cause), waited, List.of(steps), tagsMatter);
    assertThat(Spec.current().find(rule)).as(rule).isNotNull();
    return rule;
  }

  @Test
  void anEmptyMessageThatCannotBeALongerOneIsTheReason() {
    Send empty = new Send(0, 1, 0);
    assertThat(rule("NET-TEST-05", null, true, false, OPEN, empty)).isEqualTo("NET-SEND-07");
    assertThat(rule("NET-RECV-04", null, false, false, OPEN, empty)).isEqualTo("NET-SEND-07");
    assertThat(rule("NET-TEST-05", null, false, false, OPEN, empty)).isEqualTo("NET-TEST-05");
    assertThat(rule("NET-TEST-05", null, true, false, OPEN, new Send(0, 1, 16)))
        .isEqualTo("NET-TEST-05");
  }

  @Test
  void tagsAreTheReasonWhereOthersDoNotFail() {
    Post post = new Post(0, List.of(1, 0x10001));
    assertThat(rule("NET-RECV-09", null, false, true, OPEN, post)).isEqualTo("NET-RECV-14");
    assertThat(rule("NET-RECV-09", null, false, false, OPEN, post)).isEqualTo("NET-RECV-09");
    assertThat(rule("NET-SEND-11", null, false, true, OPEN, post)).isEqualTo("NET-SEND-11");
  }

  @Test
  void whatThePluginHasForgottenIsAMatterOfTheStepBefore() {
    ResultCode code = ResultCode.INVALID_ARGUMENT;
    assertThat(rule("NET-RECV-02", code, false, false, OPEN, new CloseListener(0)))
        .isEqualTo("NET-CLOSE-07");
    assertThat(
            rule("NET-SEND-08", ResultCode.REMOTE_ERROR, false, false, OPEN, new CloseListener(0)))
        .isEqualTo("NET-CLOSE-07");
    assertThat(rule("NET-RECV-02", code, false, false, OPEN, new RegisterAgain(0)))
        .isEqualTo("NET-REG-04");
    assertThat(rule("NET-RECV-02", code, false, false, OPEN)).isEqualTo("NET-RECV-02");
    ResultCode other = ResultCode.INTERNAL_ERROR;
    assertThat(rule("NET-RECV-02", other, false, false, OPEN, new RegisterAgain(0)))
        .isEqualTo("NET-RECV-02");
  }

  @Test
  void plainTagsAreEqualWhereTheOthersWere() {
    assertThat(
            PlainTags.in(
                List.of(
                    OPEN,
                    new Post(0, List.of(-1, 7, -1)),
                    new Send(1, 7, 5),
                    new Send(0, 7, 5),
                    new Send(0, 3, 5))))
        .containsExactly(
            OPEN,
            new Post(0, List.of(1, 2, 1)),
            new Send(1, 1, 5),
            new Send(0, 2, 5),
            new Send(0, 3, 5));
  }
}
