// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.util.List;

/**
 * A parser, as the fuzzer sees it: a function of bytes that accepts them or throws the exception
 * that it documents. A target has a constructor without parameters.
 */
public interface FuzzTarget {
  /**
   * Tries one input. The same input has the same effect each time.
   *
   * @param input its own to change
   * @throws Exception what is a finding: the parser's documented exception does not come out of
   *     here
   */
  void run(byte[] input) throws Exception;

  /** Returns the classes whose branches are to be reached; their nested ones belong to them. */
  List<Class<?>> parsers();

  /** Returns inputs that the parser accepts, to begin with. */
  default List<byte[]> seeds() {
    return List.of(new byte[0]);
  }

  /** Returns the most bytes of an input. */
  default int mostBytes() {
    return 512;
  }

  /** Returns how many bytes one input may allocate, however much it announces. */
  default long mostAllocated() {
    return 256 << 10;
  }

  /** Fails where something does not hold. */
  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
