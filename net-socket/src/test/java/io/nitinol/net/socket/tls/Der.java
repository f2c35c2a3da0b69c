// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the few elements of DER (ITU-T X.690) that a minimal certificate needs. */
final class Der {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OBJECT_ID = 0x06;
  private static final int UTF8_STRING = 0x0c;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  private Der() {}

  static byte[] sequence(byte[]... elements) {
    return element(SEQUENCE, elements);
  }

  static byte[] set(byte[]... elements) {
    return element(SET, elements);
  }

  /** An integer from 0 to 127. */
  static byte[] smallInteger(int value) {
    return element(INTEGER, new byte[] {(byte) value});
  }

  /** A string of whole bytes. */
  static byte[] bitString(byte[] bytes) {
    return element(BIT_STRING, new byte[] {0}, bytes);
  }

  /** An object identifier whose numbers from the third on are below 128. */
  static byte[] objectId(int... numbers) {
    byte[] content = new byte[numbers.length - 1];
    content[0] = (byte) (40 * numbers[0] + numbers[1]);
    for (int i = 2; i < numbers.length; i++) {
      content[i - 1] = (byte) numbers[i];
    }
    return element(OBJECT_ID, content);
  }

  static byte[] utf8String(String text) {
    return element(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A time as {@code yyyyMMddHHmmssZ}. */
  static byte[] generalizedTime(String time) {
    return element(GENERALIZED_TIME, time.getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] element(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 4);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else if (length < 0x10000) {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    } else {
      throw new IllegalArgumentException("element of " + length + " bytes, at most 65535 expected");
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
