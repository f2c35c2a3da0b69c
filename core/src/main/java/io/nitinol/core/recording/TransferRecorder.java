// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.recording;

/** Hears of transfers in the order in which a rank's steps do them. */
@FunctionalInterface
public interface TransferRecorder {

  /**
   * Takes note of a transfer.
   *
   * @param transfer only valid during the call
   */
  void record(Transfer transfer);
}
