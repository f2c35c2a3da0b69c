// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

import io.nitinol.core.Communicator;
import io.nitinol.core.Devices;
import io.nitinol.samples.sgd.Digits;
import io.nitinol.samples.torch.LibTorch.Tensor;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Data-parallel training with PyTorch's kernels: all ranks have the same weights, each computes the
 * gradients of its part of a batch, and all go the same step down the sum. Rank 0 prints.
 *
 * <p>Arguments: {@code cpu} or {@code cuda}, then the number of epochs and the width of the hidden
 * layers. {@code NITINOL_TORCH_LIB} is the directory of {@code libtorch.so}.
 */
public final class TorchTraining {
  private static final long SEED = 1;
  private static final int TRAINING = 1_536;
  private static final int BATCH = 256;
  private static final float RATE = 0.1F;

  /** How often the sums of a step are measured alone, and before that not measured. */
  private static final int ALONE = 20;

  private static final int WARM = 5;

  private final Communicator communicator;
  private final LibTorch torch;
  private final TorchNetwork network;
  private final GradientSum sum;
  private final Digits digits;
  private final int share;

  private TorchTraining(
      Communicator communicator,
      LibTorch torch,
      TorchNetwork network,
      GradientSum sum,
      Digits digits) {
    this.communicator = communicator;
    this.torch = torch;
    this.network = network;
    this.sum = sum;
    this.digits = digits;
    this.share = BATCH / communicator.size();
  }

  /** Trains on all ranks that the launcher has started. */
  public static void main(String[] args) throws IOException {
    String library = System.getenv("NITINOL_TORCH_LIB");
    if (library == null || args.length == 0 || !args[0].matches("cpu|cuda")) {
      System.err.println(
          "usage: NITINOL_TORCH_LIB=DIRECTORY TorchTraining cpu|cuda [EPOCHS [WIDTH]]");
      System.exit(2);
    }
    int epochs = number(args, 1, 10);
    int width = number(args, 2, 256);
    Digits digits = Digits.read();
    try (Communicator communicator = Communicator.fromEnvironment()) {
      if (BATCH % communicator.size() != 0) {
        throw new IllegalArgumentException(
            communicator.size() + " ranks; expected a number that divides " + BATCH);
      }
      DeviceProvider provider = args[0].equals("cuda") ? Devices.provider() : null;
      Device device = provider == null ? null : own(provider, communicator);
      try (LibTorch torch = new LibTorch(Path.of(library), device == null ? -1 : device.index());
          TorchNetwork network =
              new TorchNetwork(
                  torch,
                  SEED,
                  BATCH / communicator.size(),
                  Digits.PIXELS,
                  width,
                  width,
                  Digits.CLASSES);
          GradientSum sum = sum(communicator, provider, device, torch, network)) {
        new TorchTraining(communicator, torch, network, sum, digits).train(epochs, args[0]);
      }
    }
  }

  private static Device own(DeviceProvider provider, Communicator communicator) {
    List<Device> devices = provider.devices();
    return devices.get(communicator.rank() % devices.size());
  }

  private static GradientSum sum(
      Communicator communicator,
      @Nullable DeviceProvider provider,
      @Nullable Device device,
      LibTorch torch,
      TorchNetwork network) {
    long address = network.gradients().address();
    long count = network.gradients().columns;
    return provider == null || device == null
        ? GradientSum.onHost(communicator, address, count)
        : GradientSum.onDevice(
            communicator, provider, device, address, count, torch.currentStream());
  }

  private static int number(String[] args, int place, int otherwise) {
    if (args.length <= place) {
      return otherwise;
    }
    if (!args[place].matches("[1-9][0-9]{0,3}")) {
      System.err.println(
          "argument " + (place + 1) + " is " + args[place] + "; expected a number from 1 to 9999");
      System.exit(2);
    }
    return Integer.parseInt(args[place]);
  }

  private void train(int epochs, String device) {
    say(communicator.describe());
    List<Integer> images = new ArrayList<>();
    for (int i = 0; i < TRAINING; i++) {
      images.add(i);
    }
    Random order = new Random(SEED); // alike on all ranks
    int cold = epochs / 2; // the JVM compiles meanwhile
    long from = 0;
    long waited = 0;
    for (int epoch = 1; epoch <= epochs; epoch++) {
      if (epoch == cold + 1) {
        from = System.nanoTime();
        waited = sum.waitNanos();
      }
      Collections.shuffle(images, order);
      double[] loss = {0};
      for (int first = 0; first < TRAINING; first += BATCH) {
        loss[0] += step(images, first + communicator.rank() * share);
      }
      communicator.blocking().allReduce(loss, ReductionOp.SUM);
      say(String.format(Locale.ROOT, "epoch %d: loss %.6f", epoch, loss[0] / TRAINING));
    }
    double seconds = (System.nanoTime() - from) / 1e9;
    double waits = (sum.waitNanos() - waited) / 1e9;
    say(right() + " of " + (digits.size() - TRAINING) + " other digits are read right");
    say(
        String.format(
            Locale.ROOT,
            "%.0f images a second in the second half, on %d ranks, %s",
            (double) (epochs - cold) * TRAINING / seconds,
            communicator.size(),
            device));
    if (waited >= 0) {
      int steps = (epochs - cold) * (TRAINING / BATCH);
      double alone = sumAlone();
      say(
          String.format(
              Locale.ROOT,
              "a step takes %.2f ms and its sums of gradients %.2f ms alone; %.2f ms were waited for sums"
                  + " and later ranks: %.0f %% hidden behind the backward pass",
              1000 * seconds / steps,
              1000 * alone,
              1000 * waits / steps,
              100 * Math.max(0, 1 - waits / steps / alone)));
    }
  }

  /** Returns how many seconds the sums of a step take where nothing is computed meanwhile. */
  private double sumAlone() {
    long nanos = 0;
    for (int i = -WARM; i < ALONE; i++) {
      communicator.barrier().await(); // no rank waits for one that is late
      long from = System.nanoTime();
      network.buckets(sum::start);
      sum.finish();
      nanos += i < 0 ? 0 : System.nanoTime() - from;
    }
    return nanos / 1e9 / ALONE;
  }

  /** Takes this rank's part of a batch; returns the loss of the part. */
  private double step(List<Integer> images, int first) {
    float[] pixels = new float[share * Digits.PIXELS];
    float[] classes = new float[share * Digits.CLASSES];
    for (int i = 0; i < share; i++) {
      int image = images.get(first + i);
      put(image, pixels, i);
      classes[i * Digits.CLASSES + digits.label(image)] = 1;
    }
    try (Tensor in = torch.of(share, Digits.PIXELS, pixels);
        Tensor wanted = torch.of(share, Digits.CLASSES, classes);
        Tensor guess = network.backward(in, wanted, sum::start)) {
      sum.finish();
      network.step(RATE / BATCH);
      float[] likely = torch.read(guess);
      double loss = 0;
      for (int i = 0; i < likely.length; i++) {
        loss -= classes[i] == 0 ? 0 : Math.log(Math.max(likely[i], Float.MIN_NORMAL));
      }
      return loss;
    }
  }

  private void put(int image, float[] pixels, int row) {
    double[] from = digits.image(image);
    for (int p = 0; p < Digits.PIXELS; p++) {
      pixels[row * Digits.PIXELS + p] = (float) from[p];
    }
  }

  private int right() {
    int count = digits.size() - TRAINING;
    float[] pixels = new float[count * Digits.PIXELS];
    for (int i = 0; i < count; i++) {
      put(TRAINING + i, pixels, i);
    }
    int right = 0;
    try (Tensor images = torch.of(count, Digits.PIXELS, pixels);
        Tensor guess = network.guess(images)) {
      float[] likely = torch.read(guess);
      for (int i = 0; i < count; i++) {
        int best = 0;
        for (int c = 1; c < Digits.CLASSES; c++) {
          best = likely[i * Digits.CLASSES + c] > likely[i * Digits.CLASSES + best] ? c : best;
        }
        right += best == digits.label(TRAINING + i) ? 1 : 0;
      }
    }
    return right;
  }

  private void say(String line) {
    if (communicator.rank() == 0) {
      System.out.println(line);
    }
  }
}
