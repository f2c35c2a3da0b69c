// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Foreign;
import io.nitinol.tck.device.Gate;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.Reductions;
import io.nitinol.tck.numeric.AnyOrder;
import io.nitinol.tck.numeric.ElementNoise;
import io.nitinol.tck.scene.Promptness;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The local kernels: what they compute, and where they write. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceKernelRules {
  private static final int RANKS = 3;

  @Rule("DEVKERNEL-01")
  void supportIsTheSameWhateverRanksAndScalar(DeviceSession session) {
    DeviceKernels kernels = session.device().kernels();
    session.check(
        kernels == session.device().kernels(), "kernels is another object the second time");
    DeviceStream stream = session.stream(session.device());
    Image image = Image.onDevice(session, session.device(), 1000);
    int supported = 0;
    for (DataType type : DataType.values()) {
      for (DeviceReduction reduction : Reductions.of(type, RANKS)) {
        boolean first = kernels.supports(reduction);
        boolean changes = false;
        for (int ranks : new int[] {1, 2, 1000}) {
          DeviceReduction other = Reductions.forRank(reduction, ranks, 1);
          changes |= kernels.supports(other) != first;
        }
        session.check(!changes, "supports depends on ranks or scalar, or changes: %s", reduction);
        if (first) {
          supported++;
        } else {
          session.refuse(
              "apply of what supports denies: " + reduction,
              () ->
                  kernels.apply(
                      stream,
                      reduction,
                      KernelStep.COPY,
                      image.at(0),
                      image.at(0),
                      image.at(512),
                      8),
              DeviceFailure.UNSUPPORTED);
        }
      }
    }
    session.finish(stream);
    image.check("kernels that were refused");
    session.check(supported > 0, "the kernels support no reduction at all");
  }

  @Rule(value = "DEVKERNEL-02", seconds = 180)
  void everyStepGivesTheBitsOfTheReference(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    int count = session.full() ? 5000 : 700;
    for (DataType type : DataType.values()) {
      for (DeviceReduction reduction : Reductions.of(type, RANKS)) {
        if (session.device().kernels().supports(reduction)) {
          steps(session, stream, reduction, count);
        }
      }
    }
  }

  private static void steps(
      DeviceSession session, DeviceStream stream, DeviceReduction reduction, int count) {
    int bytes = count * reduction.type().size();
    Image left = Image.onDevice(session, session.device(), bytes);
    Image right = Image.onDevice(session, session.device(), bytes);
    Image result = Image.onDevice(session, session.device(), bytes * KernelStep.values().length);
    left.put(0, noise(session, reduction, count, 0));
    right.put(0, noise(session, reduction, count, 1));
    for (KernelStep step : KernelStep.values()) {
      int place = bytes * step.ordinal();
      session.run(
          "DEVKERNEL-02",
          "apply of " + step + " of " + reduction,
          () ->
              session
                  .device()
                  .kernels()
                  .apply(
                      stream, reduction, step, left.at(0), right.at(0), result.at(place), count));
      result.expect(
          place, AnyOrder.step(reduction, step, left.part(0, bytes), right.part(0, bytes)));
    }
    session.finish(stream);
    result.check("the six steps, in their order, of " + count + " elements of " + reduction);
    left.check("steps that read it");
    right.check("steps that read it");
  }

  private static byte[] noise(DeviceSession session, DeviceReduction reduction, int count, int of) {
    return ElementNoise.of(
        reduction.type(), reduction.op(), count, of, session.terms().seed() + reduction.hashCode());
  }

  @Rule(value = "DEVKERNEL-03", seconds = 180)
  void everyCountAndAlignmentWorks(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    for (DataType type : DataType.values()) {
      DeviceReduction reduction = DeviceReduction.of(type, ReductionOp.SUM, RANKS);
      if (!session.device().kernels().supports(reduction)) {
        continue;
      }
      int size = type.size();
      int room = 1100 * size + 64;
      Image left = Image.onDevice(session, session.device(), room);
      Image right = Image.onDevice(session, session.device(), room);
      Image result = Image.onDevice(session, session.device(), room);
      for (int i = 0; i < 45; i++) {
        int count = i < 35 ? i : 1 + session.random().nextInt(1000);
        int a = session.random().nextInt(64 / size) * size;
        int b = session.random().nextInt(64 / size) * size;
        int c = session.random().nextInt(64 / size) * size;
        left.put(a, noise(session, reduction, count, 0));
        right.put(b, noise(session, reduction, count, 1));
        session.run(
            "DEVKERNEL-03",
            "apply",
            () ->
                session
                    .device()
                    .kernels()
                    .apply(
                        stream,
                        reduction,
                        KernelStep.REDUCE,
                        left.at(a),
                        right.at(b),
                        result.at(c),
                        count));
        session.finish(stream);
        result.expect(
            c,
            AnyOrder.step(
                reduction,
                KernelStep.REDUCE,
                left.part(a, count * size),
                right.part(b, count * size)));
        result.check(
            "a sum of " + count + " " + type + " at offsets " + a + ", " + b + " and " + c);
      }
      left.check("sums that read it");
      right.check("sums that read it");
    }
  }

  @Rule("DEVKERNEL-04")
  void theResultMayTakeThePlaceOfOperands(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    for (DataType type : DataType.values()) {
      DeviceReduction reduction = DeviceReduction.of(type, ReductionOp.SUM, RANKS);
      if (!session.device().kernels().supports(reduction)) {
        continue;
      }
      int count = 999;
      int bytes = count * type.size();
      for (KernelStep step : KernelStep.values()) {
        for (int place = 0; place < 3; place++) {
          Image image = Image.onDevice(session, session.device(), 2 * bytes + 16);
          image.put(8, noise(session, reduction, count, 0));
          image.put(8 + bytes, noise(session, reduction, count, 1));
          int left = 8;
          int right = place == 2 ? 8 : 8 + bytes;
          int to = place == 1 ? right : left;
          boolean copies = step == KernelStep.COPY || step == KernelStep.COPY_FINAL;
          byte[] expected =
              AnyOrder.step(reduction, step, image.part(left, bytes), image.part(right, bytes));
          int target = copies ? right : to;
          session.run(
              "DEVKERNEL-04",
              "apply",
              () ->
                  session
                      .device()
                      .kernels()
                      .apply(
                          stream,
                          reduction,
                          step,
                          image.at(left),
                          image.at(right),
                          image.at(target),
                          count));
          session.finish(stream);
          image.expect(target, expected);
          image.check(step + " of " + type + " in place of an operand");
        }
      }
    }
  }

  @Rule("DEVKERNEL-05")
  void operandsMayBeInAnyMemory(DeviceSession session) {
    Device device = session.device();
    List<Image> images = new ArrayList<>();
    images.add(Image.onDevice(session, device, 9000));
    images.add(Image.onHost(session, device, 9000));
    if (device.supports(DeviceFeature.HOST_REGISTRATION)) {
      MemorySegment segment = session.arena().allocate(9000, 64);
      DeviceMemory registered =
          session.keep(
              session.step("DEVMEM-07", "registerHost", () -> device.registerHost(segment)));
      images.add(new Image(session, device, registered));
    }
    for (Device other : session.all()) {
      if (other != device && device.canAccess(other)) {
        device.enablePeerAccess(other);
        images.add(Image.onDevice(session, other, 9000));
        break;
      }
    }
    DeviceReduction reduction = some(session);
    int size = reduction.type().size();
    int count = 3000 / 8;
    DeviceStream stream = session.stream(device);
    for (Image left : images) {
      for (Image right : images) {
        for (Image to : images) {
          left.put(0, noise(session, reduction, count, 0));
          right.put(3000, noise(session, reduction, count, 1));
          session.run(
              "DEVKERNEL-05",
              "apply",
              () ->
                  device
                      .kernels()
                      .apply(
                          stream,
                          reduction,
                          KernelStep.COMBINE,
                          left.at(0),
                          right.at(3000),
                          to.at(6000),
                          count));
          session.finish(stream);
          to.expect(
              6000,
              AnyOrder.step(
                  reduction,
                  KernelStep.COMBINE,
                  left.part(0, count * size),
                  right.part(3000, count * size)));
          to.check("a reduction with operands in several memories");
        }
      }
    }
  }

  /** Returns a reduction that the kernels support, FLOAT32's sum above all. */
  private static DeviceReduction some(DeviceSession session) {
    DeviceReduction usual = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, RANKS);
    if (session.device().kernels().supports(usual)) {
      return usual;
    }
    for (DataType type : DataType.values()) {
      for (DeviceReduction reduction : Reductions.of(type, RANKS)) {
        if (session.device().kernels().supports(reduction)) {
          return reduction;
        }
      }
    }
    throw session.skip("the kernels support no reduction");
  }

  @Rule("DEVKERNEL-06")
  void aKernelCopiesLikeAStream(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    Image first = Image.onDevice(session, device, 90_000);
    Image second = Image.onHost(session, device, 90_000);
    for (int i = 0; i < 120; i++) {
      Image to = session.random().nextBoolean() ? first : second;
      Image from = session.random().nextBoolean() ? first : second;
      int length = i < 80 ? i : session.random().nextInt(45_000);
      int target = session.random().nextInt(45_000 - length + 1);
      int source = 45_000 + session.random().nextInt(45_000 - length + 1);
      session.run(
          "DEVKERNEL-06",
          "copy by a kernel",
          () -> device.kernels().copy(stream, to.at(target), from.at(source), length));
      session.finish(stream);
      to.expect(target, from.part(source, length));
      if (i < 80 || i % 10 == 0) {
        to.check("a kernel's copy of " + length + " bytes to " + target + " from " + source);
      }
    }
    first.check("copies by kernels");
    second.check("copies by kernels");
  }

  @Rule("DEVKERNEL-07")
  void wrongArgumentsAreRefused(DeviceSession session) {
    Device device = session.device();
    DeviceKernels kernels = device.kernels();
    DeviceStream stream = session.stream(device);
    DeviceReduction reduction = some(session);
    Image image = Image.onDevice(session, device, 256);
    DeviceFailure wrong = DeviceFailure.INVALID_ARGUMENT;
    session.refuse(
        "apply of -1 elements",
        () ->
            kernels.apply(
                stream, reduction, KernelStep.REDUCE, image.at(0), image.at(64), image.at(128), -1),
        wrong);
    session.refuse(
        "copy of -1 bytes", () -> kernels.copy(stream, image.at(0), image.at(64), -1), wrong);
    List<DeviceStream> strangers = new ArrayList<>(List.of(Foreign.object(DeviceStream.class)));
    if (session.devices() > 1) {
      strangers.add(session.stream(session.all().get(1)));
    }
    for (DeviceStream other : strangers) {
      session.refuse(
          "apply on a stream that is not of the device",
          () ->
              kernels.apply(
                  other, reduction, KernelStep.REDUCE, image.at(0), image.at(64), image.at(128), 4),
          wrong);
      session.refuse(
          "copy on a stream that is not of the device",
          () -> kernels.copy(other, image.at(0), image.at(64), 4),
          wrong);
    }
    session.finish(stream);
    image.check("calls that were refused");
  }

  @Rule("DEVKERNEL-07")
  void anAddressInsideAnElementWorksOrIsRefused(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    Image image = Image.onDevice(session, device, 4096);
    for (DataType type : DataType.values()) {
      DeviceReduction reduction = DeviceReduction.of(type, ReductionOp.MAX, RANKS);
      if (type.size() == 1 || !device.kernels().supports(reduction)) {
        continue;
      }
      for (int[] odd : new int[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 5, 7}}) {
        int bytes = 16 * type.size();
        int a = odd[0];
        int b = 1024 + odd[1];
        int c = 2048 + odd[2];
        byte[] expected =
            AnyOrder.step(
                reduction, KernelStep.COMBINE, image.part(a, bytes), image.part(b, bytes));
        try {
          device
              .kernels()
              .apply(
                  stream, reduction, KernelStep.COMBINE, image.at(a), image.at(b), image.at(c), 16);
          image.expect(c, expected);
        } catch (DeviceException e) {
          session.check(
              e.failure() == DeviceFailure.INVALID_ARGUMENT,
              "apply at an address inside an element of %s failed with %s",
              type,
              e.failure());
        }
        session.finish("DEVKERNEL-07", stream);
        image.check("a reduction of " + type + " at addresses that its size does not divide");
      }
    }
  }

  @Rule("DEVKERNEL-08")
  void kernelsAreWorkOfTheirStream(DeviceSession session) {
    Device device = session.device();
    DeviceReduction reduction = some(session);
    int size = reduction.type().size();
    int count = 2000;
    int bytes = count * size;
    DeviceStream stream = session.stream(device);
    Image sum = Image.onDevice(session, device, bytes);
    Image other = Image.onDevice(session, device, bytes);
    sum.put(0, noise(session, reduction, count, 0));
    other.put(0, noise(session, reduction, count, 1));
    Gate gate = session.gate();
    gate.hold(stream);
    Promptness.check(
        session,
        "a kernel on a stream that waits",
        watch -> {
          for (int i = 0; i < 30; i++) {
            watch.timed(() -> {
              chain(device, stream, reduction, sum, other, count);
              return true;
            });
            expectChain(reduction, sum, other, bytes);
          }
        });
    session.check(!stream.query(), "a kernel does not wait for the work before it");
    gate.open();
    session.finish("DEVKERNEL-08", stream);
    sum.check("kernels, each of which reads what the one before it wrote");
    if (device.supports(DeviceFeature.GRAPHS)) {
      stream.beginCapture();
      chain(device, stream, reduction, sum, other, count);
      DeviceGraph graph = session.keep(stream.endCapture());
      session.finish(stream);
      sum.check("a capture of kernels");
      for (int i = 0; i < 3; i++) {
        stream.launch(graph);
        expectChain(reduction, sum, other, bytes);
      }
      session.finish("DEVKERNEL-08", stream);
      sum.check("launches of a graph of kernels");
    }
  }

  private static void chain(
      Device device,
      DeviceStream stream,
      DeviceReduction reduction,
      Image sum,
      Image other,
      int count) {
    long half = (long) count / 2 * reduction.type().size();
    device.kernels().copy(stream, sum.at(half), other.at(0), half);
    device
        .kernels()
        .apply(stream, reduction, KernelStep.COMBINE, sum.at(0), other.at(0), sum.at(0), count);
  }

  private static void expectChain(DeviceReduction reduction, Image sum, Image other, int bytes) {
    int half = bytes / 2;
    sum.expect(half, other.part(0, half));
    sum.expect(
        0, AnyOrder.step(reduction, KernelStep.COMBINE, sum.part(0, bytes), other.part(0, bytes)));
  }
}
