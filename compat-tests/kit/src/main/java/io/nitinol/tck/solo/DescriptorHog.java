// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Takes all descriptors that the process may have, except for a few. */
final class DescriptorHog implements AutoCloseable {
  private static final String FILE = "/dev/null";
  private static final int MOST = 100_000;

  private final Deque<FileInputStream> held = new ArrayDeque<>();

  DescriptorHog(int left) {
    try {
      while (held.size() < MOST) {
        held.push(new FileInputStream(FILE));
      }
    } catch (IOException e) {
      release(left); // the table is full, as it was to be
      return;
    }
    close();
    throw new IllegalStateException("this process may open more than " + MOST + " files");
  }

  private void release(int count) {
    try {
      for (int i = 0; i < count && !held.isEmpty(); i++) {
        held.pop().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close " + FILE, e);
    }
  }

  @Override
  public void close() {
    release(held.size());
  }
}
