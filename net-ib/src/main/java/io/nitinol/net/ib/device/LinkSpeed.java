// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

/**
 * A link's speed in Mb/s: that of a lane, by the code in {@code ibv_port_attr.active_speed} (or
 * {@code active_speed_ex}), times the lanes, by the code in {@code active_width}. Figures are
 * NCCL's: signalling rates, rounded.
 */
final class LinkSpeed {
  /** The speed of a lane with an unknown code: the fastest known one, as in NCCL. */
  private static final int NEWEST_LANE = 200_000;

  private LinkSpeed() {}

  /**
   * Returns Mb/s per lane.
   *
   * @param code one of the powers of two that verbs gives the rates
   * @return the speed, or 0 for an unknown code
   */
  static int lane(int code) {
    return switch (code) {
      case 1 -> 2_500; // SDR
      case 2 -> 5_000; // DDR
      case 4, 8 -> 10_000; // QDR, FDR-10
      case 16 -> 14_000; // FDR
      case 32 -> 25_000; // EDR
      case 64 -> 50_000; // HDR
      case 128 -> 100_000; // NDR
      case 256 -> 200_000; // XDR
      default -> 0;
    };
  }

  /**
   * Returns the number of lanes.
   *
   * @param code as verbs counts widths
   * @return 1, 2, 4, 8 or 12; 0 for an unknown code
   */
  static int lanes(int code) {
    return switch (code) {
      case 1 -> 1;
      case 2 -> 4;
      case 4 -> 8;
      case 8 -> 12;
      case 16 -> 2;
      default -> 0;
    };
  }

  /**
   * Returns a link's speed. An unknown code counts as the fastest lane that is known, or as one
   * lane.
   *
   * @param speedCode the lane's code
   * @param widthCode the width's code
   * @return Mb/s, above 0
   */
  static int of(int speedCode, int widthCode) {
    int lane = lane(speedCode);
    return (lane == 0 ? NEWEST_LANE : lane) * Math.max(1, lanes(widthCode));
  }
}
