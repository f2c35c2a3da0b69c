// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

/**
 * The channels of one executor: which part of each operation it does.
 *
 * @param rank this rank
 * @param size how many ranks there are
 * @param channels how many channels the communicator has
 * @param index which executor this is, from 0
 * @param executors how many there are
 */
public record ChannelShare(int rank, int size, int channels, int index, int executors) {

  /** Returns whether {@code channel} belongs to this share. */
  public boolean has(int channel) {
    return channel % executors == index;
  }

  /** Returns the channel of what goes between this rank and {@code peer}, the same on both. */
  public int pairChannel(int peer) {
    return (rank + peer) % channels;
  }
}
