// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.javacpp;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.nitinol.core.Elements;
import io.nitinol.spi.ReductionOp;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Arrays of libraries for numbers are reduced where they lie, as {@code docs/application.md} has
 * it.
 */
class LibrariesTest {
  private static final float[] SUMS = {1, 3, 5, 7, 9, 11};

  @Test
  void arraysOfNd4jAreReducedInPlace() throws Exception {
    TwoRanks.each(rank -> {
      INDArray mine = Nd4j.arange(6).castTo(DataType.FLOAT).addi(rank.rank());
      INDArray sum = Nd4j.zeros(DataType.FLOAT, 2, 3);
      rank.blocking()
          .allReduce(
              Elements.adapt(mine.data().pointer()),
              Elements.adapt(sum.data().pointer()),
              ReductionOp.SUM);
      assertThat(sum.ravel().toFloatVector()).containsExactly(SUMS);
    });
  }

  @Test
  void arraysOfDjlAreReducedInPlace() throws Exception {
    TwoRanks.each(rank -> {
      try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
        NDArray mine = manager.arange(0f, 6f).addi(rank.rank());
        NDArray sum = manager.zeros(new Shape(2, 3));
        rank.blocking()
            .allReduce(
                Elements.of(mine.toByteBuffer(true).asFloatBuffer()),
                Elements.of(sum.toByteBuffer(true).asFloatBuffer()),
                ReductionOp.SUM);
        assertThat(sum.toFloatArray()).containsExactly(SUMS);
      }
    });
  }
}
