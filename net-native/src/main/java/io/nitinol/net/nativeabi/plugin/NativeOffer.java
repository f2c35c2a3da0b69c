// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import java.util.function.Supplier;

/**
 * A struct that a library exports, as a Java plugin. All objects of one struct share its state: the
 * C plugin is initialized once, up to version 10.
 *
 * @param collective whether it is an {@code ncclCollNet}, or else an {@code ncclNet}
 * @param version the struct's version
 * @param symbol the name that the library exports it by
 * @param name what it calls itself
 * @param provider the class of the Java plugin
 * @param factory makes a Java plugin that is not initialized
 */
public record NativeOffer(
    boolean collective,
    int version,
    String symbol,
    String name,
    Class<?> provider,
    Supplier<?> factory) {

  /** The oldest version that the Java interfaces have. */
  private static final int OLDEST = 4;

  /** Returns the version of the Java interface: versions 2 and 3 pass for 4. */
  public int javaVersion() {
    return Math.max(version, OLDEST);
  }
}
