// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.toolkit.HostAndPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port} and looks the host up. Port 0
 * is any that is free.
 */
final class HostPort implements ITypeConverter<InetSocketAddress> {

  /** The place where somebody else listens: port 0 is none. */
  static final class OfAnother implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String text) {
      return read(text, text, 1, "");
    }
  }

  @Override
  public InetSocketAddress convert(String text) {
    return read(text, text, 0, "");
  }

  /**
   * Reads a place.
   *
   * @param text it, whole
   * @param typed what the user has written, for the error message
   * @param least the lowest port that is one here
   * @param orElse what could have been written, too, for the end of the error message
   */
  static InetSocketAddress read(String text, String typed, int least, String orElse) {
    HostAndPort place;
    try {
      place = HostAndPort.parse(text, least);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + typed + "': " + e.getMessage() + orElse);
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(place.host()), place.port());
    } catch (UnknownHostException e) {
      throw new TypeConversionException(
          "'" + typed + "': the host \"" + place.host() + "\" is not known");
    }
  }
}
