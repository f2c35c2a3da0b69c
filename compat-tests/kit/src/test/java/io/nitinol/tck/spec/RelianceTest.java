// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.tck.run.RuleCase;
import io.nitinol.tck.run.RuleCatalog;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of those who rely on a rule agrees with the contract. */
class RelianceTest {

  @Test
  void theTableIsOfRulesThatBindPluginsAndCanBeTested() {
    assertThat(Reliance.since()).isNotEmpty();
    for (String id : Reliance.since().keySet()) {
      SpecRule rule = Spec.current().find(id);
      assertThat(rule).as(id).isNotNull();
      assertThat(rule.isTestable()).as(id).isTrue();
      assertThat(rule.binds()).as(id).isEqualTo("plugin");
    }
  }

  @Test
  void aReleaseReliesOnWhatItHas() {
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_17, "NET-SEND-08")).isTrue();
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_17, "NET-INIT-09")).as("contexts").isFalse();
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_30, "NET-INIT-09")).isTrue();
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_30, "NET-ERR-04")).as("codes").isFalse();
    assertThat(Reliance.words("NET-ERR-04")).isEqualTo("Nitinol alone");
    assertThat(Reliance.words("NET-SEND-08")).isEqualTo("NCCL since 2.8 and Nitinol: the data");
    assertThat(NcclRelease.NCCL_2_17.loads(4)).isTrue();
    assertThat(NcclRelease.NCCL_2_17.loads(7)).isFalse();
    assertThat(NcclRelease.NCCL_2_30.loads(5)).isFalse();
  }

  @Test
  void whatATestLooksAtMayBeExcepted() {
    String dropped = "whatIsHalfAcceptedIsDropped";
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_17, "NET-CLOSE-07")).isTrue();
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_17, "NET-CLOSE-07", "acceptedCommsLiveOn"))
        .isTrue();
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_17, "NET-CLOSE-07", dropped)).isFalse();
    assertThat(Reliance.isOf(NcclRelease.NCCL_2_17, "NET-ERR-04", dropped)).isFalse();
    assertThat(Reliance.words("NET-CLOSE-07", List.of(dropped)))
        .isEqualTo("Nitinol alone, as far as it is broken");
    assertThat(Reliance.words("NET-CLOSE-07", List.of(dropped, "")))
        .isEqualTo(Reliance.words("NET-CLOSE-07"))
        .startsWith("NCCL since 2.8");
    assertThat(Reliance.words("NET-CLOSE-07", List.of())).startsWith("NCCL since 2.8");
  }

  @Test
  void anExceptionIsATestOfTheRule() {
    for (String id : Reliance.since().keySet()) {
      assertThat(
              RuleCatalog.cases().stream()
                  .filter(test -> test.rule().equals(id))
                  .map(RuleCase::name))
          .as(id)
          .containsAll(Reliance.except(id));
    }
  }

  @Test
  void aTableThatIsWrongIsRefused() {
    assertThatThrownBy(() -> Reliance.parse("A-01\t2.8\tx\ta b\tc\n"))
        .hasMessageContaining("expected a rule");
    assertThatThrownBy(() -> Reliance.parse("NET-SEND-08\t2.8\n"))
        .hasMessageContaining("NET-SEND-08\t2.8");
    assertThatThrownBy(() -> Reliance.parse("A-01\t2.8\tx\nA-01\t2.8\ty\n"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
