// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.CommException;
import io.nitinol.core.Elements;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.buffer.v1.BufferAdapter;
import io.nitinol.spi.buffer.v1.BufferView;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which adapter is asked, what becomes of its answer, and what an error names. */
class BufferAdaptersTest {
  private static final Arena ARENA = Arena.ofAuto();
  private static final MemorySegment FLOATS = ARENA.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2, 3);

  /** An object of the library that the adapters here are for. */
  private record Tensor(int number) {}

  private record Fake(String name, Function<Object, @Nullable BufferView> views)
      implements BufferAdapter {
    @Override
    public @Nullable BufferView view(Object object) {
      return views.apply(object);
    }
  }

  private static BufferAdapters of(BufferAdapter... adapters) {
    return new BufferAdapters(() -> List.of(adapters).iterator());
  }

  private static BufferAdapter gives(BufferView view) {
    return new Fake("fake", object -> object instanceof Tensor ? view : null);
  }

  private static CommException refused(ResultCode code, Runnable call) {
    CommException thrown = catchThrowableOfType(CommException.class, call::run);
    assertThat(thrown).isNotNull();
    assertThat(thrown.result()).isEqualTo(code);
    return thrown;
  }

  private static BufferView address(boolean readOnly) {
    return new BufferView.HostAddress(
        FLOATS.address(), FLOATS.byteSize(), DataType.FLOAT32, readOnly);
  }

  @Test
  void anAddressBecomesASegmentThatMayBeReadOnly() {
    BufferView.HostSegment view = of(gives(address(false))).host("elements", new Tensor(1));
    assertThat(view.type()).isEqualTo(DataType.FLOAT32);
    assertThat(view.memory().toArray(ValueLayout.JAVA_FLOAT)).containsExactly(1, 2, 3);
    assertThat(view.memory().isReadOnly()).isFalse();
    MemorySegment readOnly = of(gives(address(true))).host("elements", new Tensor(1)).memory();
    assertThat(readOnly.isReadOnly()).isTrue();
    assertThat(readOnly.address()).isEqualTo(FLOATS.address());
  }

  @Test
  void aNativeSegmentKeepsItsObjectReachable() {
    MemorySegment direct = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(12));
    for (BufferView view :
        List.of(
            address(false),
            new BufferView.HostSegment(FLOATS, DataType.FLOAT32),
            new BufferView.HostSegment(direct, DataType.FLOAT32))) {
      keepsItsObject(view);
    }
  }

  private static void keepsItsObject(BufferView view) {
    List<MemorySegment> slices = new ArrayList<>();
    WeakReference<Object> object = sliceOf(view, slices);
    System.gc();
    assertThat(object.get()).as("the object of %s", view).isNotNull();
    slices.clear();
    Await.until(
        "the object is collected",
        () -> {
          System.gc();
          return object.get() == null;
        });
  }

  /** A method of its own, whose frame does not keep the object. */
  private static WeakReference<Object> sliceOf(BufferView view, List<MemorySegment> slices) {
    Tensor tensor = new Tensor(7);
    slices.add(of(gives(view)).host("elements", tensor).memory().asSlice(4, 4));
    return new WeakReference<>(tensor);
  }

  private static MemorySegment hosted(MemorySegment memory) {
    return of(gives(new BufferView.HostSegment(memory, DataType.FLOAT32)))
        .host("elements", new Tensor(1))
        .memory();
  }

  @Test
  void theSegmentOfAnAdapterStaysWhatItIs() {
    List<MemorySegment> held = new ArrayList<>();
    WeakReference<MemorySegment> given = wrapped(held);
    System.gc();
    assertThat(given.get()).as("the segment whose arena has the memory").isNotNull();
    assertThat(held.getFirst().get(ValueLayout.JAVA_FLOAT, 4)).isEqualTo(6);
    assertThat(hosted(FLOATS.asReadOnly()).isReadOnly()).isTrue();
    assertThat(hosted(FLOATS).isReadOnly()).isFalse();
    MemorySegment heap = MemorySegment.ofArray(new float[2]);
    assertThat(hosted(heap)).isSameAs(heap);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment confined = arena.allocate(8);
      assertThat(hosted(confined)).isSameAs(confined);
    }
    Arena closed = Arena.ofShared();
    MemorySegment gone = closed.allocate(8);
    closed.close();
    assertThat(refused(ResultCode.INVALID_ARGUMENT, () -> hosted(gone)))
        .hasMessageContaining("Tensor has a segment that has been freed; expected live memory");
  }

  private static WeakReference<MemorySegment> wrapped(List<MemorySegment> held) {
    MemorySegment memory = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, 5, 6);
    held.add(hosted(memory));
    return new WeakReference<>(memory);
  }

  @Test
  void theFirstThatKnowsTheObjectDecides() {
    BufferAdapter other = new Fake("other", object -> null);
    BufferView first = new BufferView.HostSegment(FLOATS, DataType.FLOAT32);
    BufferView second = new BufferView.HostSegment(FLOATS, DataType.INT32);
    assertThat(of(other, gives(first), gives(second)).host("elements", new Tensor(1)).type())
        .isEqualTo(DataType.FLOAT32);
  }

  @Test
  void aDeviceTakesNativeMemoryOfAllKindsAndNoneOfTheHeap() {
    BufferView.DeviceAddress device = new BufferView.DeviceAddress(0x7000, 12, DataType.INT32);
    assertThat(of(gives(device)).device("device buffer", new Tensor(1))).isSameAs(device);
    for (BufferView host :
        List.of(address(false), new BufferView.HostSegment(FLOATS, DataType.FLOAT32))) {
      assertThat(of(gives(host)).device("device buffer", new Tensor(1)))
          .isEqualTo(new BufferView.DeviceAddress(FLOATS.address(), 12, DataType.FLOAT32));
    }
    BufferView heap = new BufferView.HostSegment(MemorySegment.ofArray(new int[1]), DataType.INT32);
    assertThat(
            refused(
                ResultCode.INVALID_ARGUMENT,
                () -> of(gives(heap)).device("device buffer", new Tensor(1))))
        .hasMessage(
            "device buffer: the io.nitinol.core.plugin.BufferAdaptersTest$Tensor has memory in the"
                + " Java heap; expected memory that a device sees");
  }

  @Test
  void aDeviceTakesNoReadOnlyMemory() {
    for (BufferView view :
        List.of(address(true), new BufferView.HostSegment(FLOATS.asReadOnly(), DataType.FLOAT32))) {
      assertThat(
              refused(
                  ResultCode.INVALID_ARGUMENT,
                  () -> of(gives(view)).device("device buffer", new Tensor(1))))
          .hasMessageContaining("Tensor has read-only memory; expected memory that can be written");
    }
  }

  @Test
  void aLoaderThatFailsForEverIsGivenUp() {
    AtomicInteger asked = new AtomicInteger();
    Iterator<BufferAdapter> failing =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            if (asked.incrementAndGet() > 1000) {
              throw new IllegalStateException("asked without an end");
            }
            throw new ServiceConfigurationError("files that cannot be read");
          }

          @Override
          public BufferAdapter next() {
            throw new NoSuchElementException();
          }
        };
    CommException thrown =
        refused(
            ResultCode.INVALID_ARGUMENT,
            () -> new BufferAdapters(() -> failing).host("elements", new Tensor(1)));
    assertThat(thrown.getMessage().split("files that cannot be read", -1)).hasSize(2);
    assertThat(asked).hasValue(100);
  }

  @Test
  void anAdapterThatDoesNotTellItsNameIsNamedByItsClass() {
    BufferAdapter nameless =
        new BufferAdapter() {
          @Override
          public String name() {
            throw new IllegalStateException("no name");
          }

          @Override
          public @Nullable BufferView view(Object object) {
            return null;
          }
        };
    assertThat(
            refused(
                ResultCode.INVALID_ARGUMENT, () -> of(nameless).host("elements", new Tensor(1))))
        .hasMessageContaining(
            "found: without a name (java.lang.IllegalStateException: no name), "
                + nameless.getClass().getName());
  }

  @Test
  void eachContextClassLoaderHasItsAdapters() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    BufferAdapters own = BufferAdapters.ofThread();
    try {
      thread.setContextClassLoader(new ClassLoader(before) {});
      BufferAdapters other = BufferAdapters.ofThread();
      assertThat(other).isNotSameAs(own).isSameAs(BufferAdapters.ofThread());
      thread.setContextClassLoader(null);
      assertThat(BufferAdapters.ofThread()).isNotSameAs(other);
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThat(BufferAdapters.ofThread()).isSameAs(own);
  }

  @Test
  void elementsAreNotOfDeviceMemory() {
    BufferView.DeviceAddress device = new BufferView.DeviceAddress(0x7000, 12, DataType.INT32);
    assertThat(
            refused(
                ResultCode.INVALID_ARGUMENT,
                () -> of(gives(device)).host("elements", new Tensor(1))))
        .hasMessageContaining("has memory of a device, at 0x7000; expected memory of the host");
  }

  @Test
  void anErrorNamesTheClassAndTheAdaptersThatThereAre() {
    assertThat(refused(ResultCode.INVALID_ARGUMENT, () -> of().host("elements", new int[1][1])))
        .hasMessage(
            "elements: the int[][] is none that a buffer adapter takes; none was found: add the"
                + " artifact with the BufferAdapter of its library");
    BufferAdapter absent =
        new Fake(
            "absent",
            object -> {
              throw new NoClassDefFoundError("org/example/Tensor");
            });
    Iterator<BufferAdapter> broken =
        new Iterator<>() {
          private int asked;

          @Override
          public boolean hasNext() {
            return asked < 3;
          }

          @Override
          public BufferAdapter next() {
            return switch (asked++) {
              case 0 -> gives(address(false));
              case 1 -> throw new ServiceConfigurationError("a provider that cannot be made");
              default -> absent;
            };
          }
        };
    assertThat(
            refused(
                ResultCode.INVALID_ARGUMENT,
                () -> new BufferAdapters(() -> broken).host("elements", "a text")))
        .hasMessageContaining("elements: the java.lang.String is none that a buffer adapter takes")
        .hasMessageContaining("found: fake, io.nitinol.core.plugin.BufferAdaptersTest$Fake, absent")
        .hasMessageContaining("a provider that cannot be made")
        .hasMessageContaining("NoClassDefFoundError: org/example/Tensor");
  }

  @Test
  void anAdapterThatRefusesIsNamedAndSoIsOneThatIsBroken() {
    BufferAdapter closed =
        new Fake(
            "fake",
            object -> {
              throw new IllegalArgumentException("is closed; expected an open one");
            });
    assertThat(
            refused(ResultCode.INVALID_ARGUMENT, () -> of(closed).host("elements", new Tensor(1))))
        .hasMessageContaining(
            "Tensor is closed; expected an open one (adapter fake, io.nitinol.core.plugin")
        .hasCauseInstanceOf(IllegalArgumentException.class);
    BufferAdapter negative =
        new Fake("fake", object -> new BufferView.HostAddress(64, -8, DataType.INT64, false));
    assertThat(
            refused(
                ResultCode.INVALID_ARGUMENT, () -> of(negative).host("elements", new Tensor(1))))
        .hasMessageContaining("has -8 bytes at address 0x40; expected 0 or more bytes");
    BufferAdapter broken =
        new Fake(
            "fake",
            object -> {
              throw new IllegalStateException("a defect");
            });
    assertThat(refused(ResultCode.INTERNAL_ERROR, () -> of(broken).host("elements", new Tensor(1))))
        .hasMessageContaining("threw java.lang.IllegalStateException: a defect");
  }

  @Test
  void adaptersThatComeLaterAreFound() {
    List<BufferAdapter> there = new ArrayList<>();
    BufferAdapters adapters = new BufferAdapters(() -> List.copyOf(there).iterator());
    refused(ResultCode.INVALID_ARGUMENT, () -> adapters.host("elements", new Tensor(1)));
    there.add(gives(address(false)));
    assertThat(adapters.host("elements", new Tensor(1)).memory().byteSize()).isEqualTo(12);
  }

  @Test
  void elementsAskTheAdaptersOfTheThread() {
    assertThat(refused(ResultCode.INVALID_ARGUMENT, () -> Elements.adapt(new Tensor(1))))
        .hasMessageContaining("Tensor is none that a buffer adapter takes");
  }
}
