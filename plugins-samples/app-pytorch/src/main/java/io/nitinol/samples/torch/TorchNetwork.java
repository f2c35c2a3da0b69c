// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

import io.nitinol.samples.torch.LibTorch.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A network of fully connected layers with rectifiers between, and the softmax loss, computed by
 * PyTorch. All weights are one tensor and all gradients another one of the same layout, layer after
 * layer: the weights of a layer, then its biases. So a layer's gradients are one bucket.
 */
final class TorchNetwork implements AutoCloseable {
  /** Sums a layer's gradients over the ranks while the pass goes on with the layer below. */
  @FunctionalInterface
  interface Bucket {
    void start(long first, long count);
  }

  private record Layer(
      long first,
      int inputs,
      int outputs,
      Tensor weights,
      Tensor biases,
      Tensor weightGradients,
      Tensor biasGradients) {
    long count() {
      return (inputs + 1L) * outputs;
    }
  }

  private final LibTorch torch;
  private final Tensor weights;
  private final Tensor gradients;
  private final Tensor one;
  private final Tensor ones;
  private final Tensor identity;
  private final List<Layer> layers = new ArrayList<>();
  private final MemorySegment relu;
  private final MemorySegment sign;
  private final MemorySegment mul;
  private final MemorySegment softmax;

  /**
   * Makes a network, with the same weights wherever the seed is the same.
   *
   * @param widths how many numbers go into each layer, and come out of the last one
   * @param batch how many rows a pass has
   */
  TorchNetwork(LibTorch torch, long seed, int batch, int... widths) {
    this.torch = torch;
    relu = torch.name("relu");
    sign = torch.name("sign");
    mul = torch.name("mul");
    softmax = torch.name("_softmax");
    int count = 0;
    for (int l = 0; l + 1 < widths.length; l++) {
      count += (widths[l] + 1) * widths[l + 1];
    }
    float[] numbers = new float[count];
    Random random = new Random(seed);
    int classes = widths[widths.length - 1];
    int at = 0;
    for (int l = 0; l + 1 < widths.length; l++) {
      float range = (float) Math.sqrt(6.0 / widths[l]);
      for (int i = 0; i < widths[l] * widths[l + 1]; i++) {
        numbers[at + i] = range * (2 * random.nextFloat() - 1);
      }
      at += (widths[l] + 1) * widths[l + 1];
    }
    weights = torch.of(1, count, numbers);
    gradients = torch.of(1, count, new float[count]);
    one = torch.of(1, 1, new float[] {1});
    ones = torch.of(1, batch, filled(batch));
    identity = torch.of(classes, classes, diagonal(classes));
    at = 0;
    for (int l = 0; l + 1 < widths.length; l++) {
      int in = widths[l];
      int out = widths[l + 1];
      int biases = at + in * out;
      layers.add(
          new Layer(
              at,
              in,
              out,
              weights.part(at, in, out),
              weights.part(biases, 1, out),
              gradients.part(at, in, out),
              gradients.part(biases, 1, out)));
      at = biases + out;
    }
  }

  private static float[] filled(int count) {
    float[] numbers = new float[count];
    Arrays.fill(numbers, 1);
    return numbers;
  }

  private static float[] diagonal(int size) {
    float[] numbers = new float[size * size];
    for (int i = 0; i < size; i++) {
      numbers[i * size + i] = 1;
    }
    return numbers;
  }

  /** {@return the gradients of all layers, in PyTorch's memory} */
  Tensor gradients() {
    return gradients;
  }

  /** Returns what comes out of each layer; each is the caller's to close. */
  private List<Tensor> forward(Tensor images) {
    List<Tensor> values = new ArrayList<>();
    Tensor in = images;
    for (Layer layer : layers) {
      Tensor sum = torch.empty(in.rows, layer.outputs());
      try (Tensor biases = layer.biases().repeated(in.rows)) {
        torch.multiplyAdd(sum, biases, in, layer.weights(), 1);
      }
      Tensor out = sum;
      if (values.size() + 1 < layers.size()) {
        try (sum) {
          out = torch.map(relu, sum);
        }
      }
      values.add(out);
      in = out;
    }
    return values;
  }

  /** Returns how likely each class is for each image; the caller closes it. */
  Tensor guess(Tensor images) {
    List<Tensor> values = forward(images);
    try {
      return torch.softmax(softmax, values.getLast());
    } finally {
      values.forEach(Tensor::close);
    }
  }

  /**
   * Computes the gradients of a part of a batch, those of the last layer first, and hands on each
   * layer's as soon as PyTorch's kernels for them are in the stream.
   *
   * @param wanted for each image 1 in the column of its class and 0 elsewhere
   * @return how likely each class was; the caller closes it
   */
  Tensor backward(Tensor images, Tensor wanted, Bucket bucket) {
    List<Tensor> values = forward(images);
    Tensor guess = torch.softmax(softmax, values.getLast());
    Tensor errors = torch.empty(images.rows, guess.columns);
    torch.multiplyAdd(errors, guess, wanted, identity, -1);
    for (int l = layers.size() - 1; l >= 0; l--) {
      Layer layer = layers.get(l);
      try (Tensor in = l == 0 ? images.part(0, images.rows, images.columns) : values.get(l - 1);
          Tensor turned = in.transposed();
          Tensor above = errors) {
        torch.multiply(layer.weightGradients(), turned, above);
        torch.multiply(layer.biasGradients(), ones, above);
        bucket.start(layer.first(), layer.count());
        if (l > 0) {
          errors = torch.empty(above.rows, layer.inputs());
          try (Tensor weightsTurned = layer.weights().transposed();
              Tensor active = torch.map(sign, in);
              Tensor all = errors) {
            torch.multiply(all, above, weightsTurned);
            errors = torch.combine(mul, all, active);
          }
        }
      }
    }
    values.getLast().close();
    return guess;
  }

  /** Hands on each layer's gradients, as {@link #backward} does, and computes nothing. */
  void buckets(Bucket bucket) {
    for (Layer layer : layers.reversed()) {
      bucket.start(layer.first(), layer.count());
    }
  }

  /** Goes a step down the summed gradients: weights -= rate × gradients. */
  void step(float rate) {
    torch.multiplyAdd(weights, weights, one, gradients, -rate);
  }

  @Override
  public void close() {
    for (Layer layer : layers) {
      layer.weights().close();
      layer.biases().close();
      layer.weightGradients().close();
      layer.biasGradients().close();
    }
    List.of(weights, gradients, one, ones, identity).forEach(Tensor::close);
  }
}
