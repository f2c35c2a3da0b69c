// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.javacpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.Elements;
import io.nitinol.core.PersistentCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.ShortPointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectives on memory that javacpp has allocated. */
class PointerAdapterTest {
  private static void each(Consumer<Communicator> body) throws Exception {
    List<Communicator> ranks = Communicator.initAll(2);
    try {
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (Communicator rank : ranks) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        running.add(future);
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                body.accept(rank);
                future.complete(null);
              } catch (Throwable e) {
                rank.abort();
                future.completeExceptionally(e);
              }
            });
      }
      for (CompletableFuture<Void> future : running) {
        future.get(240, TimeUnit.SECONDS);
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  @Test
  void ranksReduceWhatLiesBetweenPositionAndLimit() throws Exception {
    each(rank -> {
      try (DoublePointer send = new DoublePointer(1, 2, 3, 4, 5);
          DoublePointer recv = new DoublePointer(5)) {
        recv.fill(0);
        send.position(1).limit(4);
        recv.position(2).limit(5);
        rank.blocking().allReduce(Elements.adapt(send), Elements.adapt(recv), ReductionOp.SUM);
        double[] all = new double[5];
        recv.position(0).get(all);
        assertThat(all).containsExactly(0, 0, 4, 6, 8);
        double[] sent = new double[5];
        send.position(0).limit(5);
        send.get(sent);
        assertThat(sent).containsExactly(1, 2, 3, 4, 5);
      }
    });
  }

  @Test
  void aPersistentCallWorksOnAPointersMemory() throws Exception {
    each(rank -> {
      try (FloatPointer values = new FloatPointer(3)) {
        Elements elements = Elements.adapt(values);
        try (PersistentCall sum =
            rank.persistent()
                .allReduce(
                    elements.memory(),
                    elements.memory(),
                    elements.count(),
                    elements.type(),
                    ReductionOp.SUM)) {
          for (int start = 1; start <= 3; start++) {
            values.put(start, rank.rank(), 10);
            sum.start().await();
            float[] all = new float[3];
            values.get(all);
            assertThat(all).containsExactly(2 * start, 1, 20);
          }
        }
      }
    });
  }

  static Stream<Arguments> pointers() {
    return Stream.of(
        Arguments.of(new BytePointer(6), DataType.INT8),
        Arguments.of(new IntPointer(6), DataType.INT32),
        Arguments.of(new LongPointer(6), DataType.INT64),
        Arguments.of(new FloatPointer(6), DataType.FLOAT32),
        Arguments.of(new DoublePointer(6), DataType.FLOAT64));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("pointers")
  void aPointerShowsItsElements(Pointer pointer, DataType type) {
    Elements all = Elements.adapt(pointer);
    assertThat(all.type()).isEqualTo(type);
    assertThat(all.count()).isEqualTo(6);
    assertThat(all.memory().address()).isEqualTo(pointer.address());
    Elements some = Elements.adapt(pointer.position(2).limit(5));
    assertThat(some.count()).isEqualTo(3);
    assertThat(some.memory().address()).isEqualTo(pointer.address() + 2L * type.size());
    pointer.close();
  }

  @Test
  void aPointerThatIsToldACapacityShowsThat() {
    try (IntPointer owner = new IntPointer(4)) {
      IntPointer unsized = new IntPointer(new Pointer(owner));
      unsized.limit(0).capacity(3);
      unsized.limit(0);
      assertThat(Elements.adapt(unsized).count()).isEqualTo(3);
    }
  }

  private static void refused(Pointer pointer, String reason) {
    CommException thrown = catchThrowableOfType(CommException.class, () -> Elements.adapt(pointer));
    assertThat(thrown).isNotNull();
    assertThat(thrown.result()).isEqualTo(ResultCode.INVALID_ARGUMENT);
    assertThat(thrown)
        .hasMessageContaining("elements: the " + pointer.getClass().getName() + " " + reason)
        .hasMessageContaining("(adapter javacpp, " + PointerAdapter.class.getName() + ")");
  }

  @Test
  void aPointerWithoutUsableMemoryIsRefused() {
    FloatPointer closed = new FloatPointer(4);
    closed.close();
    refused(closed, "is null: closed, or never given memory");
    refused(new DoublePointer(), "is null");
    try (ShortPointer shorts = new ShortPointer(4);
        LongPointer longs = new LongPointer(4)) {
      refused(shorts, "does not say which elements it points to; expected a BytePointer");
      refused(new Pointer(longs), "does not say which elements it points to");
      refused(longs.position(4), "shows no element, with position 4, limit 4 and capacity 4");
    }
  }

  @Test
  void anObjectOfAnotherLibraryIsNoneOfIts() {
    CommException thrown =
        catchThrowableOfType(CommException.class, () -> Elements.adapt("a text"));
    assertThat(thrown)
        .hasMessageContaining("the java.lang.String is none that a buffer adapter takes")
        .hasMessageContaining("found: javacpp, " + PointerAdapter.class.getName());
  }
}
