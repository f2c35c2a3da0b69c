// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import org.jspecify.annotations.Nullable;

/** The outcome of a plugin call; mirrors {@code ncclResult_t}, whose numbers it carries. */
public enum ResultCode {
  /** The call did what it promises. */
  SUCCESS(0),
  /** A CUDA call failed. Rare in network plugins. */
  UNHANDLED_CUDA_ERROR(1),
  /** The kernel, a system library or the hardware failed. The usual code of a network plugin. */
  SYSTEM_ERROR(2),
  /** The plugin has a defect, or finds one of the caller that no argument shows. */
  INTERNAL_ERROR(3),
  /** An argument is out of its range, or a token is not the plugin's own. */
  INVALID_ARGUMENT(4),
  /**
   * The user's configuration is wrong, two ranks disagree (a message larger than its buffer), or
   * the plugin does not support what is asked.
   */
  INVALID_USAGE(5),
  /** The peer failed or closed the connection. */
  REMOTE_ERROR(6),
  /** The operation has been started and is not yet complete. */
  IN_PROGRESS(7),
  /** The operation did not complete within its time limit (NCCL 2.30 and later). */
  TIMEOUT(8);

  private static final ResultCode[] VALUES = values();

  private final int code;

  ResultCode(int code) {
    this.code = code;
  }

  /** {@return the number NCCL gives this result} */
  public int code() {
    return code;
  }

  /**
   * Returns the result with NCCL's number {@code code}, or null where NCCL defines none.
   *
   * @param code NCCL's number
   * @return the constant, or null
   */
  public static @Nullable ResultCode ofCode(int code) {
    return code >= 0 && code < VALUES.length ? VALUES[code] : null;
  }
}
