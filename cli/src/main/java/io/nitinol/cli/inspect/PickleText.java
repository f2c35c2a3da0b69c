// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.toolkit.thread.OneThread;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Python's pickle of plain data: dictionaries, lists, texts, whole numbers, truth values and None.
 * It is of protocol 2, which every Python 3 reads, and names no class, so that loading one runs no
 * code.
 */
@OneThread
final class PickleText {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private PickleText() {}

  /**
   * Returns the pickle of a value.
   *
   * @param value of the kinds above, as {@link Map}, {@link List}, {@link String}, {@link Long},
   *     {@link Boolean} and null, to any depth
   */
  static byte[] of(Map<String, ?> value) {
    PickleText made = new PickleText();
    made.out.write(0x80);
    made.out.write(2);
    made.put(value);
    made.out.write('.');
    return made.out.toByteArray();
  }

  private void put(@Nullable Object value) {
    switch (value) {
      case null -> out.write('N');
      case Boolean truth -> out.write(truth ? 0x88 : 0x89);
      case Long number -> {
        byte[] bytes = BigInteger.valueOf(number).toByteArray(); // the highest first
        out.write(0x8a);
        out.write(bytes.length);
        for (int i = bytes.length - 1; i >= 0; i--) {
          out.write(bytes[i]);
        }
      }
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write('X');
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
          out.write(bytes.length >> shift);
        }
        out.writeBytes(bytes);
      }
      case List<?> list -> {
        out.write(']');
        out.write('(');
        list.forEach(this::put);
        out.write('e');
      }
      case Map<?, ?> map -> {
        out.write('}');
        out.write('(');
        map.forEach((key, mapped) -> {
          put(key);
          put(mapped);
        });
        out.write('u');
      }
      default -> throw new IllegalArgumentException("a pickle of " + value.getClass());
    }
  }
}
