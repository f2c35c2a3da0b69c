// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The TCP sockets of a host, as its kernel lists them in {@code /proc/net/tcp} and {@code tcp6}.
 */
public final class TcpTable {
  private static final String LISTENING = "0A";
  private static final String ESTABLISHED = "01";

  private TcpTable() {}

  /** Returns where anything listens, one address for each socket. */
  public static List<InetSocketAddress> listening(Namespace host) throws IOException {
    return locals(host, LISTENING);
  }

  /** Returns the host's own addresses of its connections, one for each. */
  public static List<InetSocketAddress> connected(Namespace host) throws IOException {
    return locals(host, ESTABLISHED);
  }

  private static List<InetSocketAddress> locals(Namespace host, String state) throws IOException {
    List<InetSocketAddress> found = new ArrayList<>();
    String table = host.run("cat /proc/net/tcp; [ ! -e /proc/net/tcp6 ] || cat /proc/net/tcp6");
    for (String line : table.lines().toList()) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length > 3 && words[3].equals(state)) {
        found.add(parse(words[1]));
      }
    }
    return found;
  }

  /** Reads an address as words of 32 bits, each in the host's own order of bytes, and a port. */
  private static InetSocketAddress parse(String text) throws IOException {
    int colon = text.indexOf(':');
    ByteBuffer shown = ByteBuffer.wrap(HexFormat.of().parseHex(text, 0, colon));
    ByteBuffer address = ByteBuffer.allocate(shown.capacity()).order(ByteOrder.nativeOrder());
    while (shown.hasRemaining()) {
      address.putInt(shown.getInt());
    }
    return new InetSocketAddress(
        InetAddress.getByAddress(address.array()),
        HexFormat.fromHexDigits(text, colon + 1, text.length()));
  }
}
