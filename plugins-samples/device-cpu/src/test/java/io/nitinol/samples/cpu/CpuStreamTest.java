// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static io.nitinol.samples.cpu.Twin.assertFails;
import static io.nitinol.samples.cpu.Twin.bytesOf;
import static io.nitinol.samples.cpu.Twin.device;
import static io.nitinol.samples.cpu.Twin.finish;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams, events and graphs; names of rules are SPEC.md's. */
class CpuStreamTest {
  private final DeviceMemory memory = device(0).allocate(1 << 20);
  private final DeviceMemory gate = device(0).allocateHost(64);
  private final DeviceStream stream = device(0).createStream(true);
  private final DeviceStream other = device(0).createStream(false);
  private final DeviceEvent event = device(0).createEvent(true);

  CpuStreamTest() {
    bytesOf(memory).fill((byte) 0);
    bytesOf(gate).fill((byte) 0);
  }

  @AfterEach
  void close() {
    open(Long.MAX_VALUE);
    stream.close();
    other.close();
    event.close();
    gate.close();
    memory.close();
  }

  /** Lets what waits for the gate go on. */
  private void open(long value) {
    ValueLayout.JAVA_LONG.varHandle().setRelease(bytesOf(gate), 0L, value);
  }

  private byte at(long offset) {
    return bytesOf(memory).get(ValueLayout.JAVA_BYTE, offset);
  }

  private long address(long offset) {
    return memory.address() + offset;
  }

  /** DEVSTREAM-01, DEVSTREAM-02, DEVSTREAM-07. */
  @Test
  void doesWorkInOrderAndNeverMakesTheCallerWait() {
    stream.waitValue(gate.address(), 1);
    for (int i = 0; i < 500; i++) {
      stream.fill(address(0), (byte) i, 700_000);
    }
    stream.copy(address(700_001), address(1), 300_000);
    assertThat(stream.query()).isFalse();
    assertThat(stream.synchronize(1_000_000)).isFalse();
    assertThat(at(0)).isZero();
    open(1);
    finish(stream);
    assertThat(stream.query()).isTrue();
    assertThat(at(699_999)).isEqualTo((byte) 499);
    assertThat(at(700_000)).isZero();
    assertThat(at(700_001)).isEqualTo((byte) 499);
    assertThat(at(1_000_000)).isEqualTo((byte) 499);
    assertThat(at(1_000_001)).isZero();
  }

  /** DEVSTREAM-03: more streams wait than there are threads. */
  @Test
  void manyStreamsWaitAndOthersGoOn() {
    List<DeviceStream> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      DeviceStream each = device(i % 4).createStream(false);
      each.waitValue(gate.address(), 1);
      waiting.add(each);
    }
    stream.fill(address(5), (byte) 5, 1);
    finish(stream);
    assertThat(at(5)).isEqualTo((byte) 5);
    assertThat(waiting).noneMatch(DeviceStream::query);
    open(1);
    waiting.forEach(Twin::finish);
    waiting.forEach(DeviceStream::close);
  }

  /** DEVSTREAM-09, DEVSTREAM-10, across devices. */
  @Test
  void waitsForAnEventAsItWasRecorded() {
    DeviceStream far = device(1).createStream(false);
    assertThat(event.query()).isTrue();
    far.await(event); // never recorded: does nothing
    stream.waitValue(gate.address(), 1);
    stream.record(event);
    far.await(event);
    far.writeValue(gate.address() + 8, 77);
    stream.waitValue(gate.address(), 2);
    stream.record(event);
    assertThat(event.query()).isFalse();
    assertThat(far.query()).isFalse();
    open(1);
    finish(far); // the first record counts
    assertThat(bytesOf(gate).get(ValueLayout.JAVA_LONG, 8)).isEqualTo(77);
    assertThat(event.synchronize(0)).isFalse();
    open(2);
    assertThat(event.synchronize(Twin.PATIENCE_NANOS)).isTrue();
    far.close();
  }

  /** DEVSTREAM-11. */
  @Test
  void measuresTheTimeBetweenEvents() {
    long before = System.nanoTime();
    try (DeviceEvent start = device(0).createEvent(true);
        DeviceEvent plain = device(0).createEvent(false)) {
      stream.record(start);
      stream.fill(address(0), (byte) 1, 1 << 20);
      stream.record(event);
      stream.record(plain);
      finish(stream);
      assertThat(event.elapsedNanos(start)).isBetween(0L, System.nanoTime() - before).isPositive();
      assertFails(DeviceFailure.INVALID_STATE, () -> plain.elapsedNanos(start));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> event.elapsedNanos(null));
    }
  }

  /** DEVSTREAM-12: numbers wrap. */
  @Test
  void comparesNumbersByTheSignOfTheirDifference() {
    open(Long.MAX_VALUE);
    stream.waitValue(gate.address(), Long.MIN_VALUE);
    assertThat(stream.synchronize(5_000_000)).isFalse();
    open(Long.MIN_VALUE);
    finish(stream);
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> stream.waitValue(gate.address() + 4, 1));
    open(0);
  }

  /** DEVSTREAM-13. */
  @Test
  void wrapsAStream() {
    DeviceStream wrapper = device(0).wrapStream(stream.nativeHandle());
    stream.waitValue(gate.address(), 1);
    wrapper.fill(address(0), (byte) 3, 1);
    assertThat(wrapper.query()).isFalse();
    assertThat(stream.query()).isFalse();
    wrapper.close();
    stream.copy(address(1), address(0), 1);
    open(1);
    finish(stream);
    assertThat(at(1)).isEqualTo((byte) 3);
    assertFails(DeviceFailure.INVALID_STATE, wrapper::query);
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(1).wrapStream(stream.nativeHandle()));
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(0).wrapStream(-1));
  }

  /** DEVSTREAM-06, DEV-12 to DEV-14. */
  @Test
  void refusesWrongArgumentsAndGoesOn() {
    try (DeviceEvent far = device(1).createEvent(false)) {
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> stream.record(far));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> stream.await(null));
    }
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> stream.fill(address(0), (byte) 1, -1));
    assertFails(
        DeviceFailure.INVALID_ARGUMENT, () -> stream.fill(address(0), (byte) 1, (1 << 20) + 1));
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> stream.copy(12345, address(0), 1));
    stream.copy(12345, 54321, 0);
    finish(stream);
    other.close();
    other.close();
    assertFails(DeviceFailure.INVALID_STATE, () -> other.fill(address(0), (byte) 1, 1));
  }

  /** DEVSTREAM-18. */
  @Test
  void finishesWhatWasPutInBeforeTheClose() {
    DeviceStream brief = device(0).createStream(false);
    brief.waitValue(gate.address(), 1);
    brief.fill(address(0), (byte) 8, 1);
    brief.record(event);
    brief.close();
    open(1);
    assertThat(event.synchronize(Twin.PATIENCE_NANOS)).isTrue();
    assertThat(at(0)).isEqualTo((byte) 8);
  }

  /** Memory that is closed too early fails the work, and what waits for it, with a name. */
  @Test
  void workOnClosedMemoryFailsTheStreamAndNotTheProcess() {
    DeviceMemory brief = device(0).allocate(8);
    stream.waitValue(gate.address(), 1);
    stream.fill(brief.address(), (byte) 1, 8);
    stream.record(event);
    other.await(event);
    brief.close();
    open(1);
    assertFails(DeviceFailure.DRIVER_ERROR, () -> other.synchronize(Twin.PATIENCE_NANOS));
    assertFails(DeviceFailure.DRIVER_ERROR, stream::query);
    assertFails(DeviceFailure.DRIVER_ERROR, event::query);
  }

  /** DEVSTREAM-08. */
  @Test
  void anInterruptedThreadStopsWaiting() {
    stream.waitValue(gate.address(), 1);
    Thread.currentThread().interrupt();
    assertThat(stream.synchronize(Twin.PATIENCE_NANOS)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  /** DEVSTREAM-14, DEVSTREAM-15, DEVSTREAM-17. */
  @Test
  void recordsAGraphAndLaunchesItAgain() {
    stream.beginCapture();
    stream.copy(address(1), address(0), 1);
    stream.fill(address(0), (byte) 1, 1);
    stream.record(event);
    assertThat(stream.isCapturing()).isTrue();
    assertFails(DeviceFailure.INVALID_STATE, stream::query);
    assertFails(DeviceFailure.INVALID_STATE, stream::beginCapture);
    assertFails(DeviceFailure.INVALID_STATE, event::query);
    assertFails(DeviceFailure.INVALID_STATE, other::endCapture);
    DeviceGraph graph = stream.endCapture();
    assertThat(stream.isCapturing()).isFalse();
    finish(stream);
    assertThat(at(0)).isZero();
    assertFails(DeviceFailure.INVALID_STATE, () -> other.await(event));
    stream.fill(address(0), (byte) 9, 1);
    stream.launch(graph);
    finish(stream);
    assertThat(at(1)).isEqualTo((byte) 9);
    stream.launch(graph);
    stream.launch(graph);
    graph.close();
    finish(stream);
    assertThat(at(1)).isEqualTo((byte) 1);
    assertFails(DeviceFailure.INVALID_STATE, () -> stream.launch(graph));
  }

  /** DEVSTREAM-14: on two streams; a run that overlapped another would lose what that one adds. */
  @Test
  void runsOfAGraphFollowEachOther() {
    DeviceReduction sum = DeviceReduction.of(DataType.UINT8, ReductionOp.SUM, 1);
    bytesOf(memory).set(ValueLayout.JAVA_BYTE, 1, (byte) 1);
    stream.beginCapture();
    stream.copy(address(2), address(0), 1);
    stream.waitValue(gate.address(), 1);
    device(0)
        .kernels()
        .apply(stream, sum, KernelStep.COMBINE, address(2), address(1), address(0), 1);
    DeviceGraph graph = stream.endCapture();
    stream.launch(graph);
    other.launch(graph);
    assertThat(stream.synchronize(20_000_000)).isFalse();
    assertThat(other.query()).isFalse();
    open(1);
    finish(stream);
    finish(other);
    assertThat(at(0)).isEqualTo((byte) 2);
    graph.close();
  }

  /** DEVSTREAM-16. */
  @Test
  void anotherStreamJoinsACaptureAndComesBack() {
    DeviceEvent fork = device(0).createEvent(false);
    stream.beginCapture();
    stream.fill(address(0), (byte) 4, 1);
    stream.record(fork);
    other.await(fork);
    assertThat(other.isCapturing()).isTrue();
    other.copy(address(1), address(0), 1);
    other.record(event);
    stream.await(event);
    stream.copy(address(2), address(1), 1);
    DeviceGraph graph = stream.endCapture();
    assertThat(other.isCapturing()).isFalse();
    stream.launch(graph);
    finish(stream);
    assertThat(at(2)).isEqualTo((byte) 4);
    graph.close();

    stream.beginCapture();
    stream.record(fork);
    other.await(fork);
    other.fill(address(3), (byte) 4, 1);
    assertFails(DeviceFailure.INVALID_STATE, stream::endCapture);
    assertThat(other.isCapturing()).isFalse();
    other.fill(address(3), (byte) 6, 1);
    finish(other);
    finish(stream);
    assertThat(at(3)).isEqualTo((byte) 6);
    fork.close();
  }
}
