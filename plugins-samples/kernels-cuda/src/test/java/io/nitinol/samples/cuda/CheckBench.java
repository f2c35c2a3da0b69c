// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the checks of a device share: a stream, pinned memory to go through, and a reference. */
final class CheckBench implements AutoCloseable {
  /** How long work may take before a check calls it stuck. */
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  static final int GUARD = 64;
  static final byte GUARD_BYTE = (byte) 0xa5;

  /** The CALL bound of the contract, in nanoseconds. */
  static final long CALL = 100_000_000;

  private static final int ATTEMPTS = 3;

  private static final long HOST_SIZE = 64L << 20;

  private final CudaDevice device;
  private final DeviceStream stream;
  private final DeviceMemory host;
  private final MemorySegment segment;
  private final KernelProvider reference;
  private long elements;

  CheckBench(CudaDevice device) {
    this.device = device;
    this.stream = device.createStream(false);
    this.host = device.allocateHost(HOST_SIZE);
    this.segment = Objects.requireNonNull(host.segment());
    KernelProvider least = null;
    for (KernelProvider each : ServiceLoader.load(KernelProvider.class)) {
      if (each.unavailable() == null && (least == null || each.priority() < least.priority())) {
        least = each;
      }
    }
    this.reference =
        Objects.requireNonNull(least, "no KernelProvider for host memory is on the module path");
  }

  CudaDevice device() {
    return device;
  }

  /** {@return how many elements were compared} */
  long elements() {
    return elements;
  }

  ReduceFunction function(DeviceReduction reduction) {
    return reduction.preMultiplied()
        ? reference.preMulSum(reduction.type(), reduction.scalarBits())
        : reference.function(reduction.type(), reduction.op(), reduction.ranks());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  static void require(boolean right, String format, @Nullable Object... arguments) {
    if (!right) {
      throw new IllegalStateException(String.format(format, arguments));
    }
  }

  /**
   * Makes a call that must never wait. If it takes longer than its bound it is made again, twice at
   * the most: a busy machine makes a call slow once, a provider that waits each time.
   */
  static void prompt(String what, long boundNanos, Runnable call) {
    long fastest = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && fastest > boundNanos; attempt++) {
      long start = System.nanoTime();
      call.run();
      fastest = Math.min(fastest, System.nanoTime() - start);
    }
    require(
        fastest <= boundNanos,
        "%s took %d ms or more in each of %d attempts",
        what,
        fastest / 1_000_000,
        ATTEMPTS);
  }

  static void finish(DeviceStream stream, String what) {
    require(stream.synchronize(PATIENCE), "stuck: %s", what);
  }

  /** Writes bytes into memory of the device, and waits for them to be there. */
  void put(long address, byte[] data) {
    for (int at = 0; at < data.length; ) {
      int n = (int) Math.min(HOST_SIZE, data.length - at);
      MemorySegment.copy(data, at, segment, ValueLayout.JAVA_BYTE, 0, n);
      stream.copy(address + at, host.address(), n);
      finish(stream, "a copy to the device");
      at += n;
    }
  }

  byte[] get(long address, int size) {
    byte[] data = new byte[size];
    for (int at = 0; at < size; ) {
      int n = (int) Math.min(HOST_SIZE, size - at);
      stream.copy(host.address(), address + at, n);
      finish(stream, "a copy from the device");
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, 0, data, at, n);
      at += n;
    }
    return data;
  }

  /** Surrounds a place for a result by bytes that nothing may change. */
  void putGuarded(long address, int size, byte @Nullable [] data) {
    byte[] all = new byte[size + 2 * GUARD];
    Arrays.fill(all, GUARD_BYTE);
    if (data != null) {
      System.arraycopy(data, 0, all, GUARD, size);
    }
    put(address - GUARD, all);
  }

  /** Compares a result, and the bytes around it. */
  void compareGuarded(String what, long address, byte[] wanted, int width) {
    byte[] all = get(address - GUARD, wanted.length + 2 * GUARD);
    int at = Arrays.mismatch(wanted, Arrays.copyOfRange(all, GUARD, GUARD + wanted.length));
    if (at >= 0) {
      int e = at / width;
      throw new IllegalStateException(
          String.format(
              "WRONG %s: element %d of %d is %s, not %s",
              what,
              e,
              wanted.length / width,
              hex(all, GUARD + e * width, width),
              hex(wanted, e * width, width)));
    }
    for (int i = 0; i < GUARD; i++) {
      require(
          all[i] == GUARD_BYTE && all[GUARD + wanted.length + i] == GUARD_BYTE,
          "WRONG %s: bytes around the result were written",
          what);
    }
    elements += wanted.length / width;
  }

  private static String hex(byte[] data, int at, int width) {
    StringBuilder text = new StringBuilder();
    for (int i = width - 1; i >= 0; i--) {
      text.append(String.format("%02x", data[at + i]));
    }
    return text.toString();
  }

  /** Returns random bytes. */
  static byte[] bytes(Random random, int size) {
    byte[] data = new byte[size];
    random.nextBytes(data);
    return data;
  }

  /**
   * Returns data whose reduction over up to eight ranks is exact in every order: any integers; of
   * floats zeroes and ones, for products ones and twos.
   */
  static byte[] exact(Random random, DataType type, ReductionOp op, int count) {
    if (!type.isFloat()) {
      return bytes(random, count * type.size());
    }
    byte[] data = new byte[count * type.size()];
    for (int i = 0; i < count; i++) {
      int value = op == ReductionOp.PROD ? 1 + random.nextInt(2) : random.nextInt(2);
      long bits = encode(type, value);
      for (int b = 0; b < type.size(); b++) {
        data[i * type.size() + b] = (byte) (bits >>> (8 * b));
      }
    }
    return data;
  }

  /** Returns the encoding of 0, 1 or 2. */
  static long encode(DataType type, int value) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> value;
      case FLOAT16 -> Short.toUnsignedLong(Float.floatToFloat16(value));
      case FLOAT32 -> Float.floatToRawIntBits(value);
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      case BFLOAT16 -> Float.floatToRawIntBits(value) >>> 16;
      case FLOAT8E4M3 -> value == 0 ? 0 : value == 1 ? 0x38 : 0x40;
      case FLOAT8E5M2 -> Short.toUnsignedLong(Float.floatToFloat16(value)) >>> 8;
    };
  }

  @Override
  public void close() {
    host.close();
    stream.close();
  }
}
