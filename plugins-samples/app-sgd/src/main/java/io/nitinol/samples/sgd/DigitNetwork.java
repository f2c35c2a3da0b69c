// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.sgd;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A network of fully connected layers with rectifiers between, and the softmax loss. Everything
 * about one image is computed as if there were no others, so it has the same bits on any rank.
 */
final class DigitNetwork {
  private static final int[] WIDTHS = {Digits.PIXELS, 128, 128, Digits.CLASSES};
  private static final int LAYERS = WIDTHS.length - 1;
  private static final double MOMENTUM = 0.9;

  /** By layer and output: the weights of the inputs, and the bias last. */
  private final double[][][] weights = new double[LAYERS][][];

  private final double[][][] velocities = new double[LAYERS][][];

  /** The same weights at first wherever the seed is the same. */
  DigitNetwork(long seed) {
    Random random = new Random(seed);
    for (int layer = 0; layer < LAYERS; layer++) {
      int inputs = WIDTHS[layer];
      weights[layer] = new double[WIDTHS[layer + 1]][inputs + 1];
      velocities[layer] = new double[WIDTHS[layer + 1]][inputs + 1];
      double range = Math.sqrt(6.0 / inputs);
      for (double[] row : weights[layer]) {
        for (int i = 0; i < inputs; i++) {
          row[i] = range * (2 * random.nextDouble() - 1);
        }
      }
    }
  }

  /** Returns how many weights there are, biases included. */
  static int weightCount() {
    int count = 0;
    for (int layer = 0; layer < LAYERS; layer++) {
      count += WIDTHS[layer + 1] * (WIDTHS[layer] + 1);
    }
    return count;
  }

  /** Returns what goes into each layer, and last what comes out of the last one. */
  private double[][] forward(double[] image) {
    double[][] values = new double[LAYERS + 1][];
    values[0] = image;
    for (int layer = 0; layer < LAYERS; layer++) {
      double[] in = values[layer];
      double[] out = new double[WIDTHS[layer + 1]];
      for (int o = 0; o < out.length; o++) {
        double[] row = weights[layer][o];
        double sum = row[in.length];
        for (int i = 0; i < in.length; i++) {
          sum += row[i] * in[i];
        }
        out[o] = layer < LAYERS - 1 ? Math.max(sum, 0) : sum;
      }
      values[layer + 1] = out;
    }
    return values;
  }

  /** Returns the digit that an image shows most likely. */
  int guess(double[] image) {
    double[] out = forward(image)[LAYERS];
    int best = 0;
    for (int o = 1; o < out.length; o++) {
      best = out[o] > out[best] ? o : best;
    }
    return best;
  }

  /**
   * Adds the gradients of some images to the buckets, the last layer's first: they are final first.
   *
   * @return the sum of the images' losses
   */
  long backward(Digits digits, List<Integer> images, GradientBuckets buckets) {
    double[][][] values = new double[images.size()][][];
    double[][] errors = new double[images.size()][];
    long loss = 0;
    for (int s = 0; s < errors.length; s++) {
      values[s] = forward(digits.image(images.get(s)));
      errors[s] = values[s][LAYERS].clone();
      loss += FixedPoint.of(softmax(errors[s], digits.label(images.get(s))));
    }
    for (int layer = LAYERS - 1; layer >= 0; layer--) {
      long[] gradients = new long[WIDTHS[layer] + 1];
      for (int o = 0; o < WIDTHS[layer + 1]; o++) {
        Arrays.fill(gradients, 0);
        for (int s = 0; s < errors.length; s++) {
          addGradients(gradients, values[s][layer], errors[s][o]);
        }
        buckets.add(gradients);
      }
      for (int s = 0; s < errors.length && layer > 0; s++) {
        errors[s] = errorsBelow(weights[layer], values[s][layer], errors[s]);
      }
    }
    return loss;
  }

  /** Makes errors of the outputs and returns the loss. */
  private static double softmax(double[] outputs, int label) {
    double max = Double.NEGATIVE_INFINITY;
    for (double output : outputs) {
      max = Math.max(max, output);
    }
    double sum = 0;
    for (double output : outputs) {
      sum += StrictMath.exp(output - max);
    }
    double loss = StrictMath.log(sum) + max - outputs[label];
    for (int o = 0; o < outputs.length; o++) {
      outputs[o] = StrictMath.exp(outputs[o] - max) / sum - (o == label ? 1 : 0);
    }
    return loss;
  }

  private static void addGradients(long[] to, double[] inputs, double error) {
    for (int i = 0; i < inputs.length; i++) {
      to[i] += FixedPoint.of(inputs[i] * error);
    }
    to[inputs.length] += FixedPoint.of(error);
  }

  private static double[] errorsBelow(double[][] weights, double[] inputs, double[] errors) {
    double[] below = new double[inputs.length];
    for (int o = 0; o < errors.length; o++) {
      for (int i = 0; i < below.length; i++) {
        below[i] += weights[o][i] * errors[o];
      }
    }
    for (int i = 0; i < below.length; i++) {
      below[i] = inputs[i] > 0 ? below[i] : 0;
    }
    return below;
  }

  /** Goes a step down the gradients that the ranks have summed. */
  void step(GradientBuckets buckets, int images, double rate) {
    for (int layer = LAYERS - 1; layer >= 0; layer--) {
      long[] sums = new long[WIDTHS[layer] + 1];
      for (int o = 0; o < WIDTHS[layer + 1]; o++) {
        buckets.next(sums);
        double[] velocity = velocities[layer][o];
        for (int i = 0; i < sums.length; i++) {
          velocity[i] = MOMENTUM * velocity[i] + FixedPoint.toDouble(sums[i]) / images;
          weights[layer][o][i] -= rate * velocity[i];
        }
      }
    }
  }
}
