// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.team;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges bytes among the ranks of a team together with each rank's failure, so that what one
 * rank cannot do fails on all of them alike (DEVTEAM-05). Each meeting is one call of the exchange
 * (DEVTEAM-04).
 */
@OneThread
public final class TeamMeeting {
  private static final int MESSAGE_SIZE = 256;
  private static final byte WELL = -1;
  private static final int HEADER_SIZE = 1 + MESSAGE_SIZE;

  /** The most bytes that a rank brings to a meeting. */
  public static final int MAX_SIZE = TeamExchange.MAX_SIZE - HEADER_SIZE;

  private final DeviceTeamConfig config;
  private final String provider;

  /**
   * A rank's way to meet the others.
   *
   * @param config the team and the place of this rank in it
   * @param provider the name of the provider, with which messages begin
   */
  public TeamMeeting(DeviceTeamConfig config, String provider) {
    this.config = config;
    this.provider = provider;
  }

  /** {@return the number of this rank} */
  public int rank() {
    return config.rank();
  }

  /** {@return the number of ranks} */
  public int ranks() {
    return config.ranks();
  }

  /** {@return whether the ranks are in several processes, which all of them answer alike} */
  public boolean spansProcesses() {
    return config.processes().stream().distinct().count() > 1;
  }

  /**
   * Gives each rank the bytes of all. Waits for the others.
   *
   * @param mine this rank's bytes, as many on every rank, {@link #MAX_SIZE} at most; not kept
   * @param failure what this rank could not do, or null
   * @return the bytes of rank r at place r, owned by the caller
   * @throws DeviceException with the failure of the first rank that has one; with INVALID_ARGUMENT
   *     where the exchange gave what no rank has brought
   * @throws io.nitinol.spi.NetException what the exchange throws
   */
  public byte[][] meet(byte[] mine, @Nullable DeviceException failure) {
    byte[][] all = config.exchange().exchange(encode(mine, failure));
    if (all.length != config.ranks()) {
      throw invalid(ErrorText.of("an exchange of %d ranks gave %d", config.ranks(), all.length));
    }
    for (int r = 0; r < all.length; r++) {
      if (all[r].length != HEADER_SIZE + mine.length) {
        throw invalid(
            ErrorText.of(
                "an exchange of %d bytes gave %d of rank %d",
                HEADER_SIZE + mine.length, all[r].length, r));
      }
    }
    byte[][] payloads = new byte[all.length][];
    for (int r = 0; r < all.length; r++) {
      payloads[r] = decode(all[r], r, r == config.rank() ? failure : null);
    }
    return payloads;
  }

  /**
   * Meets with nothing but the failures.
   *
   * @param failure what this rank could not do, or null
   * @throws DeviceException as {@link #meet}
   */
  public void agree(@Nullable DeviceException failure) {
    meet(new byte[0], failure);
  }

  private DeviceException invalid(String what) {
    return new DeviceException(DeviceFailure.INVALID_ARGUMENT, provider + ": " + what);
  }

  private byte[] encode(byte[] mine, @Nullable DeviceException failure) {
    if (mine.length > MAX_SIZE) {
      throw new IllegalArgumentException(
          ErrorText.of("a rank brings %d bytes, at most %d are possible", mine.length, MAX_SIZE));
    }
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_SIZE + mine.length);
    bytes.put(failure == null ? WELL : (byte) failure.failure().ordinal());
    if (failure != null) {
      byte[] text = String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
      bytes.put(text, 0, Math.min(text.length, MESSAGE_SIZE));
    }
    return bytes.position(HEADER_SIZE).put(mine).array();
  }

  private byte[] decode(byte[] received, int rank, @Nullable DeviceException own) {
    ByteBuffer bytes = ByteBuffer.wrap(received);
    byte status = bytes.get();
    byte[] text = new byte[MESSAGE_SIZE];
    bytes.get(text);
    if (status != WELL) {
      DeviceFailure[] failures = DeviceFailure.values();
      if (status < 0 || status >= failures.length) {
        throw invalid(
            ErrorText.of(
                "an exchange gave %d as the state of rank %d, at most %d are failures",
                status, rank, failures.length - 1));
      }
      if (own != null) {
        // Thrown once more from here, so that its stack tells both places.
        throw new DeviceException(own.failure(), String.valueOf(own.getMessage()), own);
      }
      String message = new String(text, StandardCharsets.UTF_8).trim();
      throw new DeviceException(
          failures[status], ErrorText.of("%s: rank %d: %s", provider, rank, message));
    }
    byte[] payload = new byte[bytes.remaining()];
    bytes.get(payload);
    return payload;
  }
}
