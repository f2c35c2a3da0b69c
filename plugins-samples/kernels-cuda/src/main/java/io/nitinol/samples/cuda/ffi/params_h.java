// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

/** Constants of {@code params.h}. */
public class params_h {
  params_h() {
    // Should not be called directly
  }

  public static int NITINOL_MEMBERS() { return 16; }
  public static int NITINOL_BLOCKS() { return 256; }
  public static int NITINOL_PAIRS() { return 4; }
  public static int NITINOL_PAIR_SLOTS() { return 4; }
  public static int NITINOL_PAIR_SLOT() { return 64; }
  public static int NITINOL_CONTROL_EPOCH() { return 0; }
  public static int NITINOL_CONTROL_SCALAR() { return 2048; }
  public static int NITINOL_CONTROL_ABORTED() { return 3072; }
  public static int NITINOL_CONTROL_ENTER() { return 4096; }
  public static int NITINOL_CONTROL_LEAVE() { return 36864; }
  public static int NITINOL_CONTROL_READY() { return 69632; }
  public static int NITINOL_CONTROL_TAIL() { return 102400; }
  public static int NITINOL_CONTROL_PARTS() { return 135168; }
  public static int NITINOL_CONTROL_ROOMS() { return 200704; }
  public static int NITINOL_CONTROL_BYTES() { return 266240; }
  public static int NITINOL_MOVE_TAKE() { return 0; }
  public static int NITINOL_MOVE_FAN() { return 1; }
  public static int NITINOL_MOVE_GIVE() { return 2; }
  public static int NITINOL_RING_SCATTER() { return 0; }
  public static int NITINOL_RING_GATHER() { return 1; }
  public static int NITINOL_RING_CHAIN() { return 2; }
  public static int NITINOL_RING_SLOTS() { return 4; }
}
