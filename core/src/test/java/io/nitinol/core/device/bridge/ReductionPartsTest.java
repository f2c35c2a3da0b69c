// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import org.junit.jupiter.api.Test;

/** What {@code docs/numerics.md} says, for a reduction that is done in two places. */
class ReductionPartsTest {

  @Test
  void averagesAndProductsAreMultipliedOrDividedOnce() {
    for (DataType type : DataType.values()) {
      DeviceReduction average = DeviceReduction.of(type, ReductionOp.AVG, 6);
      assertThat(ReductionParts.multiplies(average)).isEqualTo(type.isFloat());
      assertThat(ReductionParts.divides(average)).isEqualTo(!type.isFloat());
      assertThat(ReductionParts.betweenTeams(average)).isEqualTo(ReductionOp.SUM);
      DeviceReduction inTeam = ReductionParts.inTeam(average);
      assertThat(inTeam.type()).isEqualTo(type);
      assertThat(inTeam.op()).isEqualTo(type.isFloat() ? ReductionOp.AVG : ReductionOp.SUM);

      DeviceReduction scaled = DeviceReduction.preMulSum(type, 6, 1);
      assertThat(ReductionParts.multiplies(scaled)).isTrue();
      assertThat(ReductionParts.divides(scaled)).isFalse();
      assertThat(ReductionParts.inTeam(scaled)).isSameAs(scaled);
      assertThat(ReductionParts.betweenTeams(scaled)).isEqualTo(ReductionOp.SUM);
    }
  }

  @Test
  void otherOperatorsAreTheSameEverywhere() {
    for (ReductionOp op : ReductionOp.values()) {
      DeviceReduction plain = DeviceReduction.of(DataType.FLOAT16, op, 6);
      if (op != ReductionOp.AVG) {
        assertThat(ReductionParts.multiplies(plain)).isFalse();
        assertThat(ReductionParts.divides(plain)).isFalse();
        assertThat(ReductionParts.inTeam(plain)).isSameAs(plain);
        assertThat(ReductionParts.betweenTeams(plain)).isEqualTo(op);
      }
    }
  }
}
