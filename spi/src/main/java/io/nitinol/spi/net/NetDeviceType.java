// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

import java.util.Optional;

/**
 * The side that moves the data of a device's connections: the host, or code on the GPU that talks
 * to the card; mirrors {@code ncclNetDeviceType}. Any type but {@link #HOST} is device offload,
 * which a framework may decline.
 */
public enum NetDeviceType {
  /** The plugin's own calls move the data. */
  HOST(0),
  /** The GPU unpacks what the card has put into a bounce buffer. */
  UNPACK(1),
  /** The GPU asks a thread of the host to move the data. */
  GIN_PROXY(2),
  /** The GPU rings the card's doorbell itself. */
  GIN_GDAKI(3),
  /** The GPU calls the card's own interface. */
  GIN_GPI(4);

  private final int code;

  NetDeviceType(int code) {
    this.code = code;
  }

  /** {@return the number that C uses for this type} */
  public int code() {
    return code;
  }

  /**
   * Finds a type by its number.
   *
   * @param code what a C struct holds
   * @return the type, or empty for a number that this version of the interfaces does not know
   */
  public static Optional<NetDeviceType> ofCode(int code) {
    for (NetDeviceType type : values()) {
      if (type.code == code) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
