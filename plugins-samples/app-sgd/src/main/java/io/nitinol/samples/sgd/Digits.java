// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.sgd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Handwritten digits, images of 8 x 8 pixels from 0 to 16: the test set of "Optical Recognition of
 * Handwritten Digits" by E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository,
 * doi:10.24432/C50P49, licensed CC BY 4.0.
 */
public final class Digits {
  public static final int PIXELS = 64;
  public static final int CLASSES = 10;

  private static final String FILE = "digits.csv.gz";

  private final double[][] pixels;
  private final int[] labels;

  private Digits(double[][] pixels, int[] labels) {
    this.pixels = pixels;
    this.labels = labels;
  }

  public static Digits read() throws IOException {
    List<String> lines;
    try (InputStream file = Digits.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IOException(FILE + " is not on the class path: add src/main/resources");
      }
      lines =
          new BufferedReader(
                  new InputStreamReader(new GZIPInputStream(file), StandardCharsets.US_ASCII))
              .lines()
              .toList();
    }
    double[][] pixels = new double[lines.size()][PIXELS];
    int[] labels = new int[lines.size()];
    for (int i = 0; i < labels.length; i++) {
      String[] numbers = lines.get(i).split(",", -1);
      for (int pixel = 0; pixel < PIXELS; pixel++) {
        pixels[i][pixel] = Integer.parseInt(numbers[pixel]) / 16.0;
      }
      labels[i] = Integer.parseInt(numbers[PIXELS]);
    }
    return new Digits(pixels, labels);
  }

  /** Returns an image, its pixels scaled to numbers from 0 to 1. */
  public double[] image(int number) {
    return pixels[number];
  }

  /** Returns what an image shows, from 0 to 9. */
  public int label(int number) {
    return labels[number];
  }

  public int size() {
    return labels.length;
  }
}
