// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.NetProfiler;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HostProfilerTest {

  /** Stands for NCCL's: the handle that it makes is the number that the structure begins with. */
  @SuppressWarnings("unused") // by its name
  private static int host(
      MemorySegment event, int type, long parent, long id, MemorySegment structure) {
    if (type == NetProfiler.START) {
      int number = structure.reinterpret(Integer.BYTES).get(JAVA_INT, 0);
      event.reinterpret(Long.BYTES).set(JAVA_LONG, 0, number);
    }
    return 0;
  }

  @Test
  void aPluginMayHaveItsEventsWhereverItLikes() throws Exception {
    MethodHandle host =
        MethodHandles.lookup()
            .findStatic(
                HostProfilerTest.class,
                "host",
                MethodType.methodType(
                    int.class,
                    MemorySegment.class,
                    int.class,
                    long.class,
                    long.class,
                    MemorySegment.class));
    FunctionDescriptor call =
        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stub = Linker.nativeLinker().upcallStub(host, call, arena);
      NetProfiler profiler = Objects.requireNonNull(HostProfiler.of(stub.address()));
      MemorySegment outside = arena.allocateFrom(JAVA_INT, 12);
      assertThat(profiler.record(NetProfiler.START, 0, 5, 9, outside)).isEqualTo(12);
      MemorySegment onHeap = MemorySegment.ofArray(new int[] {34});
      assertThat(profiler.record(NetProfiler.START, 0, 5, 9, onHeap)).isEqualTo(34);
      assertThat(profiler.record(NetProfiler.STOP, 34, 0, 9, null)).isZero();
    }
  }
}
