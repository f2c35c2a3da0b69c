// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a rank tells the others about its device. Every rank sends its own to all others; on which
 * host and in which process it is they know already.
 *
 * @param number drawn at random; rank 0's is the group's, to tell it from others of the process
 * @param provider the provider's name
 * @param uuid the device
 * @param handles whether it opens memory of other processes
 * @param teams whether it forms teams at all
 * @param reaches the other devices whose memory it can use, by uuid
 * @param problem why the rank cannot take part, empty where it can
 */
record DevicePlacement(
    long number,
    String provider,
    String uuid,
    boolean handles,
    boolean teams,
    List<String> reaches,
    String problem) {
  private static final int PROTOCOL = 1;

  /** More than a host has devices. */
  private static final int MOST_DEVICES = 4096;

  /** Longer than any name or uuid that a provider may have. */
  private static final int LONGEST_NAME = 255;

  private static final int LONGEST_PROBLEM = 2000;

  private static final SecureRandom RANDOM = new SecureRandom();

  DevicePlacement {
    reaches = List.copyOf(reaches);
  }

  /** Describes this rank's device; where the provider fails, why. */
  static DevicePlacement of(DeviceProvider provider, Device device) {
    try {
      List<Device> devices = provider.devices();
      if (devices.stream().noneMatch(each -> each.equals(device))) {
        return unable(
            ErrorText.of(
                "%s is none of the %d devices of provider %s",
                device.name(), devices.size(), provider.name()));
      }
      List<String> reaches = new ArrayList<>();
      for (Device peer : devices) {
        if (!peer.equals(device) && device.canAccess(peer)) {
          reaches.add(peer.uuid());
        }
      }
      return new DevicePlacement(
          RANDOM.nextLong(),
          provider.name(),
          device.uuid(),
          device.supports(DeviceFeature.MEMORY_HANDLES),
          device.supports(DeviceFeature.TEAMS),
          reaches,
          "");
    } catch (DeviceException e) {
      return unable(String.valueOf(e.getMessage()));
    }
  }

  private static DevicePlacement unable(String problem) {
    String text = PeerText.printable(problem, LONGEST_PROBLEM);
    return new DevicePlacement(0, "none", "none", false, false, List.of(), text);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(PROTOCOL);
      out.writeLong(number);
      out.writeUTF(provider);
      out.writeUTF(uuid);
      out.writeBoolean(handles);
      out.writeBoolean(teams);
      out.writeInt(reaches.size());
      for (String each : reaches) {
        out.writeUTF(each);
      }
      out.writeUTF(problem);
    } catch (IOException e) {
      throw new AssertionError("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what another rank has sent.
   *
   * @throws CommException where the bytes are not of this protocol, or no provider could have said
   *     that
   */
  static DevicePlacement fromBytes(int rank, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int protocol = in.readInt();
      if (protocol != PROTOCOL) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "ranks do not agree on the protocol of devices: version %d on rank %d, %d here (all"
                    + " ranks need the same release of Nitinol)",
                protocol, rank, PROTOCOL));
      }
      long number = in.readLong();
      String provider = name(in.readUTF(), "provider");
      String uuid = name(in.readUTF(), "device");
      boolean handles = in.readBoolean();
      boolean teams = in.readBoolean();
      int count = in.readInt();
      if (count < 0 || count > MOST_DEVICES) {
        throw new IOException(
            ErrorText.of("it reaches %d devices, expected 0 to %d", count, MOST_DEVICES));
      }
      List<String> reaches = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        reaches.add(name(in.readUTF(), "device that it reaches"));
      }
      String problem = in.readUTF();
      if (problem.length() > LONGEST_PROBLEM || in.available() > 0) {
        throw new IOException(ErrorText.of("%d bytes are too many", bytes.length));
      }
      return new DevicePlacement(
          number,
          provider,
          uuid,
          handles,
          teams,
          reaches,
          PeerText.printable(problem, LONGEST_PROBLEM));
    } catch (IOException e) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR,
          rank,
          ErrorText.of(
              "what rank %d says of its device is damaged: %s (%d bytes)",
              rank, String.valueOf(e.getMessage()), bytes.length),
          e);
    }
  }

  /** Refuses what is no name: it will be in messages and logs. */
  private static String name(String text, String what) throws IOException {
    if (!PeerText.isName(text, LONGEST_NAME)) {
      throw new IOException(
          ErrorText.of(
              "the name of its %s has %d characters, expected 1 to %d of printable ASCII without"
                  + " spaces",
              what, text.length(), LONGEST_NAME));
    }
    return text;
  }

  /**
   * Checks that all ranks take part with the same kind of device.
   *
   * @throws CommException the same on all ranks, naming the ranks that differ
   */
  static void requireAgreement(List<DevicePlacement> all) {
    for (int r = 0; r < all.size(); r++) {
      if (!all.get(r).problem.isEmpty()) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            r,
            ErrorText.of("rank %d cannot use its device: %s", r, all.get(r).problem),
            null);
      }
    }
    DevicePlacement first = all.getFirst();
    for (int r = 1; r < all.size(); r++) {
      DevicePlacement other = all.get(r);
      if (!fold(first.provider).equals(fold(other.provider))) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "ranks do not agree on the kind of device: %s on rank 0; %s on rank %d"
                    + " (NITINOL_DEVICE chooses it, the same way on all ranks)",
                first.provider, other.provider, r));
      }
    }
    for (int r = 0; r < all.size(); r++) {
      if (!all.get(r).teams) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            r,
            ErrorText.of(
                "device %s of rank %d has no collectives (%s has no feature TEAMS)",
                all.get(r).uuid, r, first.provider),
            null);
      }
    }
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
