// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.javacpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.CommException;
import io.nitinol.core.Elements;
import io.nitinol.core.PersistentCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.buffer.v1.BufferAdapter;
import io.nitinol.spi.buffer.v1.BufferView;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.ShortPointer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectives on memory that javacpp has allocated. */
class PointerAdapterTest {
  @Test
  void ranksReduceWhatLiesBetweenPositionAndLimit() throws Exception {
    TwoRanks.each(rank -> {
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
    TwoRanks.each(rank -> {
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
      refused(longs.position(4), "shows no element, with position 4, limit 4 and capacity 4");
      for (Pointer other : List.of(shorts, new Pointer(longs))) {
        assertThat(catchThrowableOfType(CommException.class, () -> Elements.adapt(other)))
            .hasMessageContaining("is none that a buffer adapter takes; found: javacpp, ");
      }
    }
  }

  /** What another library derives from javacpp's class, as tensors and matrices do. */
  private static final class Tensor extends Pointer {
    Tensor(Pointer memory) {
      super(memory);
    }
  }

  /** The adapter of that library. */
  public static final class TensorAdapter implements BufferAdapter {
    @Override
    public String name() {
      return "tensors";
    }

    @Override
    public @Nullable BufferView view(Object object) {
      return object instanceof Tensor tensor
          ? new BufferView.HostAddress(tensor.address(), 8, DataType.FLOAT16, false)
          : null;
    }
  }

  /** The class path with the adapters that one service file names. */
  private static final class Services extends ClassLoader {
    private final Path file;

    Services(Path file) {
      super(PointerAdapterTest.class.getClassLoader());
      this.file = file;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.endsWith(BufferAdapter.class.getName())
          ? Collections.enumeration(List.of(file.toUri().toURL()))
          : super.getResources(name);
    }
  }

  @Test
  void pointersOfAnotherLibraryAreForItsAdapterInEitherOrder(@TempDir Path scratch)
      throws Exception {
    List<String> adapters = List.of(PointerAdapter.class.getName(), TensorAdapter.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (IntPointer ints = new IntPointer(4)) {
      for (List<String> order : List.of(adapters, adapters.reversed())) {
        Path file = Files.write(scratch.resolve(order.getFirst()), order);
        thread.setContextClassLoader(new Services(file));
        assertThat(Elements.adapt(new Tensor(ints)).type())
            .as("first %s", order.getFirst())
            .isEqualTo(DataType.FLOAT16);
        assertThat(Elements.adapt(ints).type()).isEqualTo(DataType.INT32);
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Path place(Class<?> of) throws Exception {
    return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void theModuleProvidesTheAdapter() throws Exception {
    ModuleFinder finder =
        ModuleFinder.of(
            place(PointerAdapter.class), place(BufferAdapter.class), place(Pointer.class));
    ModuleLayer boot = ModuleLayer.boot();
    ModuleLayer layer =
        boot.defineModulesWithOneLoader(
            boot.configuration()
                .resolve(finder, ModuleFinder.of(), Set.of("io.nitinol.samples.javacpp")),
            ClassLoader.getPlatformClassLoader());
    Class<?> service = layer.findLoader("io.nitinol.spi").loadClass(BufferAdapter.class.getName());
    assertThat(ServiceLoader.load(layer, service).stream().map(each -> each.type().getName()))
        .containsExactly(PointerAdapter.class.getName());
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
