// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One version of a struct that a plugin exports: a pointer to the name in front, then pointers to
 * functions, all of 8 bytes.
 *
 * @param <F> the functions
 */
public final class StructTable<F extends Enum<F>> {
  private static final long SLOT = ValueLayout.ADDRESS.byteSize();

  private final int version;
  private final String symbol;
  private final Map<F, Long> offsets;
  private final Map<F, Signature> signatures;

  private StructTable(
      int version, String symbol, Map<F, Long> offsets, Map<F, Signature> signatures) {
    this.version = version;
    this.symbol = symbol;
    this.offsets = offsets;
    this.signatures = signatures;
  }

  /** Returns the version's number, as in the symbol. */
  public int version() {
    return version;
  }

  /** Returns the name under which a library exports the struct: {@code ncclNetPlugin_v8}. */
  public String symbol() {
    return symbol;
  }

  /** Returns the size of the struct in bytes. */
  public long byteSize() {
    return SLOT + SLOT * offsets.size();
  }

  /** Returns the functions of this version in the order of their slots. */
  public List<F> functions() {
    return offsets.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns whether this version has {@code function}. */
  public boolean has(F function) {
    return offsets.containsKey(function);
  }

  /**
   * Returns where in the struct the pointer to {@code function} is, in bytes.
   *
   * @throws IllegalArgumentException when this version has no such function
   */
  public long offset(F function) {
    Long offset = offsets.get(function);
    if (offset == null) {
      throw new IllegalArgumentException(symbol + " has no " + function);
    }
    return offset;
  }

  /**
   * Returns what {@code function} takes in this version.
   *
   * @throws IllegalArgumentException when this version has no such function
   */
  public Signature signature(F function) {
    Signature signature = signatures.get(function);
    if (signature == null) {
      throw new IllegalArgumentException(symbol + " has no " + function);
    }
    return signature;
  }

  /** Collects the functions of one version, slot by slot. */
  static final class Builder<F extends Enum<F>> {
    private final Class<F> type;
    private final List<F> functions = new ArrayList<>();
    private final List<Signature> signatures = new ArrayList<>();

    Builder(Class<F> type) {
      this.type = type;
    }

    /** Adds what is in the next slot. */
    void add(F function, String parameters) {
      functions.add(function);
      signatures.add(new Signature(parameters));
    }

    StructTable<F> build(int version, String symbol) {
      Map<F, Long> offsets = new EnumMap<>(type);
      Map<F, Signature> byFunction = new EnumMap<>(type);
      for (int i = 0; i < functions.size(); i++) {
        offsets.put(functions.get(i), SLOT * (i + 1));
        byFunction.put(functions.get(i), signatures.get(i));
      }
      return new StructTable<>(version, symbol, offsets, byFunction);
    }
  }
}
