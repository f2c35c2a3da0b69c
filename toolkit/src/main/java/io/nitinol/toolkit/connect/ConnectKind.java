// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.ErrorText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Which plugin's connections these are: its name in the eight bytes that handles and greetings have
 * for it, zeroes behind it.
 */
final class ConnectKind {
  /** The size of a kind in bytes. */
  static final int SIZE = ConnectOptions.MOST_NAME;

  private ConnectKind() {}

  /** Writes the kind of {@code plugin} to {@code out}, from {@code at} on. */
  static void put(ByteBuffer out, int at, String plugin) {
    byte[] name = plugin.getBytes(StandardCharsets.US_ASCII);
    out.putLong(at, 0).put(at, name);
  }

  /**
   * Returns what speaks against the kind at {@code at}, or null.
   *
   * @param whose what has the kind, such as "it is a listener"
   * @param plugin the plugin on this side
   */
  static @Nullable String objection(ByteBuffer in, int at, String whose, String plugin) {
    StringBuilder name = new StringBuilder();
    boolean readable = true;
    for (int i = 0; i < SIZE && in.get(at + i) != 0; i++) {
      char each = (char) (in.get(at + i) & 0xff);
      readable &= each > ' ' && each <= '~';
      name.append(each);
    }
    if (name.toString().equals(plugin)) {
      return null;
    }
    String theirs =
        readable && !name.isEmpty()
            ? "the plugin " + name
            : ErrorText.of("an unknown plugin (0x%016x)", in.getLong(at));
    return ErrorText.of("%s of %s and this side is the plugin %s", whose, theirs, plugin);
  }
}
