// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a user says that something listens. Nothing is looked up.
 *
 * @param host a name or an address, an IPv6 address without brackets
 * @param port 0 to 65535
 */
public record HostAndPort(String host, int port) {
  private static final int MOST = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([^\\[\\]\\s]+)]|([^:\\[\\]\\s]+)):([0-9]{1,5})");

  /**
   * Reads {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port}.
   *
   * @param text what the user has written
   * @param least the lowest port that is one here: 0 where that means any that is free, otherwise 1
   * @return its parts
   * @throws IllegalArgumentException if it has another form; the message says what was expected,
   *     and the caller knows what the text is the value of
   */
  public static HostAndPort parse(String text, int least) {
    Matcher parts = FORM.matcher(text);
    if (parts.matches()) {
      int port = Integer.parseInt(parts.group(3));
      if (port >= least && port <= MOST) {
        return new HostAndPort(parts.group(1) == null ? parts.group(2) : parts.group(1), port);
      }
    }
    throw new IllegalArgumentException(
        "expected host:port, ipv4:port or [ipv6]:port, with a port from " + least + " to " + MOST);
  }

  /** Returns what {@link #parse} reads. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
