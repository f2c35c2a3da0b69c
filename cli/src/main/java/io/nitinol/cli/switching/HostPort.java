// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.spi.support.HostAndPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port} and looks the host up. */
final class HostPort implements ITypeConverter<InetSocketAddress> {
  @Override
  public InetSocketAddress convert(String text) {
    HostAndPort place;
    try {
      place = HostAndPort.parse(text, 0);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "': " + e.getMessage());
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(place.host()), place.port());
    } catch (UnknownHostException e) {
      throw new TypeConversionException(
          "'" + text + "': the host " + place.host() + " is not known");
    }
  }
}
