// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import java.security.SecureRandom;

/** The source of keys and nonces, opened when first needed. */
final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  static byte[] random(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** Returns a random number that is not 0. */
  static long stamp() {
    long stamp;
    do {
      stamp = RANDOM.nextLong();
    } while (stamp == 0);
    return stamp;
  }
}
