// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port} and looks the host up. */
final class HostPort implements ITypeConverter<InetSocketAddress> {
  private static final int MAX_PORT = 65_535;

  @Override
  public InetSocketAddress convert(String text) {
    String host;
    String port;
    int close = text.indexOf(']');
    if (text.startsWith("[") && close > 0 && text.startsWith(":", close + 1)) {
      host = text.substring(1, close);
      port = text.substring(close + 2);
    } else {
      int colon = text.indexOf(':');
      if (colon <= 0 || colon != text.lastIndexOf(':')) {
        throw expected(text);
      }
      host = text.substring(0, colon);
      port = text.substring(colon + 1);
    }
    try {
      int number = Integer.parseInt(port);
      if (number >= 0 && number <= MAX_PORT) {
        return new InetSocketAddress(InetAddress.getByName(host), number);
      }
    } catch (NumberFormatException e) {
      throw expected(text);
    } catch (UnknownHostException e) {
      throw new TypeConversionException("'" + text + "': the host " + host + " is not known");
    }
    throw expected(text);
  }

  private static TypeConversionException expected(String text) {
    return new TypeConversionException(
        "'"
            + text
            + "': expected host:port, ipv4:port or [ipv6]:port, with a port from 0 to 65535");
  }
}
