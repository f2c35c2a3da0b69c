// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;

/** As {@link HostPort}; a port alone is one of the loopback interface. */
final class StatsAddress implements ITypeConverter<InetSocketAddress> {
  private final HostPort whole = new HostPort();

  @Override
  public InetSocketAddress convert(String text) {
    return text.chars().allMatch(Character::isDigit)
        ? whole.convert(InetAddress.getLoopbackAddress().getHostAddress() + ":" + text)
        : whole.convert(text);
  }
}
