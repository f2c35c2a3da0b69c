// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.sgd;

import io.nitinol.core.Communicator;
import io.nitinol.spi.ReductionOp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Data-parallel training: all ranks have the same weights, each computes the gradients of its part
 * of a batch, and all go the same step down the sum. The README of this directory has the command.
 *
 * <p>The one argument is the number of epochs, 10 without it. Rank 0 prints.
 */
public final class DigitTraining {
  private static final long SEED = 1;
  private static final int TRAINING = 1_536;
  private static final int BATCH = 128;
  private static final double RATE = 0.05;

  /** 64 KiB: the network's gradients are three buckets and a rest. */
  private static final int BUCKET = 8_192;

  private final Communicator communicator;
  private final Digits digits;
  private final DigitNetwork network = new DigitNetwork(SEED);
  private final GradientBuckets buckets;
  private final Random order = new Random(SEED);

  private DigitTraining(Communicator communicator, Digits digits, Arena arena) {
    this.communicator = communicator;
    this.digits = digits;
    this.buckets =
        new GradientBuckets(
            communicator,
            arena.allocate((long) Long.BYTES * DigitNetwork.weightCount(), 64),
            BUCKET);
  }

  /** Trains on all ranks that the launcher has started. */
  public static void main(String[] args) throws IOException {
    int epochs = epochs(args);
    Digits digits = Digits.read();
    // The arena first: it is closed last, when the communicator uses the buffer no more.
    try (Arena arena = Arena.ofShared();
        Communicator communicator = Communicator.fromEnvironment()) {
      new DigitTraining(communicator, digits, arena).train(epochs);
    }
  }

  private static int epochs(String[] args) {
    if (args.length > 0 && !args[0].matches("[1-9][0-9]{0,3}")) {
      System.err.println("the argument is " + args[0] + "; expected epochs, from 1 to 9999");
      System.exit(2);
    }
    return args.length == 0 ? 10 : Integer.parseInt(args[0]);
  }

  private void train(int epochs) {
    say(communicator.describe());
    List<Integer> images = new ArrayList<>();
    for (int i = 0; i < TRAINING; i++) {
      images.add(i);
    }
    long from = System.nanoTime();
    for (int epoch = 1; epoch <= epochs; epoch++) {
      Collections.shuffle(images, order); // alike on all ranks
      long[] loss = {0};
      for (int first = 0; first < TRAINING; first += BATCH) {
        loss[0] += step(images.subList(first, first + BATCH));
      }
      communicator.blocking().allReduce(loss, ReductionOp.SUM);
      say("epoch " + epoch + ": loss " + FixedPoint.toDouble(loss[0]) / TRAINING);
    }
    double seconds = (System.nanoTime() - from) / 1e9;
    say(right() + " of " + (digits.size() - TRAINING) + " other digits are read right");
    double communication = buckets.communicationNanos() / 1e9;
    double waiting = buckets.waitNanos() / 1e9;
    say(
        String.format(
            Locale.ROOT,
            "%.2f s, communication in %.2f s of them: %.2f s hidden behind the backward pass, %.2f s"
                + " waited for",
            seconds,
            communication,
            communication - waiting,
            waiting));
  }

  /** Takes this rank's part of a batch; returns the loss of the part. */
  private long step(List<Integer> batch) {
    List<Integer> mine = new ArrayList<>();
    for (int i = communicator.rank(); i < batch.size(); i += communicator.size()) {
      mine.add(batch.get(i));
    }
    long loss = network.backward(digits, mine, buckets);
    buckets.finish();
    network.step(buckets, batch.size(), RATE);
    return loss;
  }

  private int right() {
    int right = 0;
    for (int i = TRAINING; i < digits.size(); i++) {
      right += network.guess(digits.image(i)) == digits.label(i) ? 1 : 0;
    }
    return right;
  }

  private void say(String line) {
    if (communicator.rank() == 0) {
      System.out.println(line);
    }
  }
}
