// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.model.NetStep.CloseListener;
import io.nitinol.tck.model.NetStep.Fail;
import io.nitinol.tck.model.NetStep.GiveUp;
import io.nitinol.tck.model.NetStep.GiveUpConnect;
import io.nitinol.tck.model.NetStep.Open;
import io.nitinol.tck.model.NetStep.OpenContext;
import io.nitinol.tck.model.NetStep.Post;
import io.nitinol.tck.model.NetStep.Refuse;
import io.nitinol.tck.model.NetStep.RegisterAgain;
import io.nitinol.tck.model.NetStep.Send;
import io.nitinol.tck.spec.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rule is suspected after a sequence that no step can be left out of. */
class SequenceBlameTest {
  private static final Open OPEN = new Open(0, 0, 64);

  private static SequenceBlame.@Nullable Suspicion suspicion(
      String seen, @Nullable ResultCode code, boolean waited, NetStep... steps) {
    NetException cause = code == null ? null : new NetException(code, "no");
    SequenceBlame.Suspicion suspicion =
        SequenceBlame.suspicion(new RuleViolation(seen, "seen", cause), waited, List.of(steps));
    if (suspicion != null) {
      assertThat(Spec.current().find(suspicion.rule())).as(suspicion.rule()).isNotNull();
    }
    return suspicion;
  }

  private static SequenceBlame.Suspicion of(String rule, NetStep... without) {
    return new SequenceBlame.Suspicion(rule, List.of(without));
  }

  @Test
  void anEmptyMessageThatCannotBeALongerOneIsTheReason() {
    Send empty = new Send(0, 1, 0);
    SequenceBlame.Suspicion expected = of("NET-SEND-07", OPEN, new Send(0, 1, 1));
    assertThat(suspicion("NET-TEST-05", null, true, OPEN, empty)).isEqualTo(expected);
    assertThat(suspicion("NET-RECV-04", null, false, OPEN, empty)).isEqualTo(expected);
    assertThat(suspicion("NET-TEST-05", null, false, OPEN, empty)).isNull();
    assertThat(suspicion("NET-TEST-05", null, true, OPEN, new Send(0, 1, 16))).isNull();
  }

  @Test
  void whereThereIsNoRoomTheMessageThatAFinishAddsIsEmpty() {
    Post post = new Post(0, List.of(1));
    assertThat(suspicion("NET-TEST-05", null, true, new Open(0, 0, 0), post))
        .isEqualTo(of("NET-SEND-07", new Open(0, 0, 8), post));
    assertThat(suspicion("NET-TEST-05", null, true, OPEN, post)).isNull();
  }

  @Test
  void tagsMayBeTheReasonWhereTheyAreNotPlain() {
    Post post = new Post(0, List.of(1, 0x10001));
    Post plain = new Post(0, List.of(1, 2));
    assertThat(suspicion("NET-RECV-09", null, false, OPEN, post))
        .isEqualTo(of("NET-RECV-14", OPEN, plain));
    assertThat(suspicion("NET-RECV-09", null, false, OPEN, plain)).isNull();
    assertThat(suspicion("NET-SEND-11", null, false, OPEN, post)).isNull();
  }

  @Test
  void whatThePluginHasForgottenIsAMatterOfTheStepBefore() {
    ResultCode code = ResultCode.INVALID_ARGUMENT;
    assertThat(suspicion("NET-RECV-02", code, false, OPEN, new CloseListener(0)))
        .isEqualTo(of("NET-CLOSE-07", OPEN));
    ResultCode remote = ResultCode.REMOTE_ERROR;
    assertThat(suspicion("NET-SEND-08", remote, false, OPEN, new CloseListener(0)))
        .isEqualTo(of("NET-CLOSE-07", OPEN));
    assertThat(suspicion("NET-RECV-02", code, false, OPEN, new RegisterAgain(0)))
        .isEqualTo(of("NET-REG-04", OPEN));
    assertThat(suspicion("NET-RECV-02", code, false, OPEN)).isNull();
    ResultCode other = ResultCode.INTERNAL_ERROR;
    assertThat(suspicion("NET-RECV-02", other, false, OPEN, new RegisterAgain(0))).isNull();
  }

  @Test
  void whatIsNoMessageIsTheReasonUnlessItsOwnRuleWasSeen() {
    Refuse refuse = new Refuse(0, WrongCall.SEND_OUTSIDE);
    assertThat(suspicion("NET-SEND-08", null, false, OPEN, refuse))
        .isEqualTo(of("NET-ERR-03", OPEN));
    assertThat(suspicion("NET-SEND-05", null, false, OPEN, refuse)).isNull();
    Refuse denied = new Refuse(0, WrongCall.DENIED);
    assertThat(suspicion("NET-SEND-08", null, false, OPEN, denied)).isNotNull();
    assertThat(suspicion("NET-OPT-01", null, false, OPEN, denied)).isNull();
    Post hinted = new Post(0, List.of(1), true);
    Post plain = new Post(0, List.of(1));
    assertThat(suspicion("NET-TEST-05", null, false, OPEN, hinted))
        .isEqualTo(of("NET-RECV-18", OPEN, plain));
    assertThat(suspicion("NET-TEST-05", null, false, OPEN, new GiveUp(0, true)))
        .isEqualTo(of("NET-CONN-22", OPEN));
    assertThat(suspicion("NET-CLOSE-03", null, false, OPEN, new GiveUp(0, true))).isNull();
    assertThat(suspicion("NET-CONN-01", null, false, OPEN, new Fail(0)))
        .isEqualTo(of("NET-ERR-06", OPEN));
    assertThat(suspicion("NET-RECV-06", null, false, OPEN, new Fail(0))).isNull();
    assertThat(suspicion("NET-SEND-08", null, false, OPEN, new RegisterAgain(0, true)))
        .isEqualTo(of("NET-REG-04", OPEN, new RegisterAgain(0)));
  }

  @Test
  void withoutContextsEverythingIsInTheFirstOne() {
    NetStep[] steps = {
      new OpenContext(1), new Open(0, 3, 8, 1, 1), new GiveUpConnect(1, true), new Send(0, 1, 1)
    };
    assertThat(suspicion("NET-SEND-08", null, false, new Send(0, 1, 1))).isNull();
    assertThat(suspicion("NET-SEND-08", null, false, steps))
        .isEqualTo(of("NET-CONN-22", steps[0], steps[1], steps[3]));
    assertThat(suspicion("NET-SEND-08", null, false, steps[0], steps[1], steps[3]))
        .isEqualTo(of("NET-INIT-09", new Open(0, 1, 8, 0, 1), steps[3]));
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
