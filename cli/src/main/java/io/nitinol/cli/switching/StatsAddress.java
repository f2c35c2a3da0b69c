// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;

/** As {@link HostPort}; a port alone is one of the loopback interface. */
final class StatsAddress implements ITypeConverter<InetSocketAddress> {
  @Override
  public InetSocketAddress convert(String text) {
    boolean alone = text.chars().noneMatch(c -> c == ':');
    String whole = alone ? InetAddress.getLoopbackAddress().getHostAddress() + ":" + text : text;
    return HostPort.read(whole, text, 0, "; or a port alone, of 127.0.0.1");
  }
}
