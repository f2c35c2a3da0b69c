// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/**
 * What a function of a plugin takes, one letter for each parameter: {@code p} a pointer, {@code i}
 * a 32-bit number, {@code l} a 64-bit one. It returns an {@code ncclResult_t}, an int.
 *
 * @param parameters the letters
 */
public record Signature(String parameters) {

  /** Refuses other letters. */
  public Signature {
    if (!parameters.matches("[pil]*")) {
      throw new IllegalArgumentException("parameters: expected p, i and l, got " + parameters);
    }
  }

  /** Returns the descriptor in which a pointer is a {@link java.lang.foreign.MemorySegment}. */
  public FunctionDescriptor descriptor() {
    return with(ValueLayout.ADDRESS);
  }

  /**
   * Returns the descriptor in which a pointer is a {@code long}, for calls that must not allocate:
   * both travel in the same registers.
   */
  public FunctionDescriptor flatDescriptor() {
    return with(ValueLayout.JAVA_LONG);
  }

  private FunctionDescriptor with(MemoryLayout pointer) {
    MemoryLayout[] layouts =
        parameters
            .chars()
            .mapToObj(letter -> switch (letter) {
              case 'p' -> pointer;
              case 'i' -> ValueLayout.JAVA_INT;
              default -> ValueLayout.JAVA_LONG;
            })
            .toArray(MemoryLayout[]::new);
    return FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts);
  }
}
