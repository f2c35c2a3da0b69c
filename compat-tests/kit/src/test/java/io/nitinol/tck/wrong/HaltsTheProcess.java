// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Halts the process when it is started, after words that are not UTF-8: no entry of the kill table,
 * which would end with it.
 */
public final class HaltsTheProcess extends WrongNet {
  @Override
  public void init(DebugLogger logger) {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write("caf\u00e9 closed\n".getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().halt(7);
  }
}
