// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.math.BigDecimal;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads sizes as nccl-tests does: {@code 8}, {@code 64M}, {@code 1.5G}; K, M, G are powers of 1024.
 */
public final class ByteSize implements ITypeConverter<Long> {
  /** Made by picocli. */
  public ByteSize() {}

  @Override
  public Long convert(String text) {
    String number = text.strip().toUpperCase(Locale.ROOT);
    if (number.endsWith("B")) {
      number = number.substring(0, number.length() - 1);
    }
    int shift =
        number.isEmpty() ? 0 : 10 * ("KMGT".indexOf(number.charAt(number.length() - 1)) + 1);
    if (shift > 0) {
      number = number.substring(0, number.length() - 1);
    }
    try {
      BigDecimal bytes = new BigDecimal(number).multiply(BigDecimal.valueOf(1L << shift));
      if (bytes.signum() >= 0) {
        return bytes.toBigInteger().longValueExact();
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException(expected(text));
    }
    throw new TypeConversionException(expected(text));
  }

  private static String expected(String text) {
    return "'" + text + "': expected a number of bytes such as 8, 64K, 1.5M or 1G";
  }
}
