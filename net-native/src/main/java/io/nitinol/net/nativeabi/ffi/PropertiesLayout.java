// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Where the fields of {@code ncclNetProperties_vN_t} are, versions 3 to the newest. */
public final class PropertiesLayout {
  /** The oldest version: version 2 asks for its properties one by one. */
  public static final int OLDEST = 3;

  /** What a field that a version lacks has for an offset. */
  public static final long ABSENT = -1;

  private static final List<PropertiesLayout> LAYOUTS =
      IntStream.rangeClosed(OLDEST, NetTable.NEWEST).mapToObj(PropertiesLayout::new).toList();

  private final int version;
  private final long[] offsets;
  private final long byteSize;

  private PropertiesLayout(int version) {
    this.version = version;
    this.offsets = new long[PropertyField.values().length];
    Arrays.fill(offsets, ABSENT);
    long end = 0;
    for (PropertyField field : PropertyField.values()) {
      if (version >= field.since()) {
        end = aligned(end, field.alignment());
        offsets[field.ordinal()] = end;
        end += field.byteSize(version);
      }
    }
    this.byteSize = aligned(end, Long.BYTES);
  }

  /**
   * Returns the layout of a version.
   *
   * @throws IllegalArgumentException for a version before {@link #OLDEST} or after the newest
   */
  public static PropertiesLayout of(int version) {
    if (version < OLDEST || version > NetTable.NEWEST) {
      throw new IllegalArgumentException(
          ErrorText.of("version of ncclNetProperties: expected %s to %s, got %s", OLDEST, NetTable.NEWEST, version));
    }
    return LAYOUTS.get(version - OLDEST);
  }

  /** Returns the version. */
  public int version() {
    return version;
  }

  /** Returns whether this version has {@code field}. */
  public boolean has(PropertyField field) {
    return version >= field.since();
  }

  /** Returns where {@code field} is, in bytes; {@link #ABSENT} where this version lacks it. */
  public long offset(PropertyField field) {
    return offsets[field.ordinal()];
  }

  /** Returns the size of the struct in bytes. */
  public long byteSize() {
    return byteSize;
  }

  private static long aligned(long offset, long alignment) {
    return (offset + alignment - 1) / alignment * alignment;
  }
}
