// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * A communicator's wishes for its network; mirrors {@code ncclNetCommConfig_v10_t}, which is the
 * same up to version 12.
 *
 * @param trafficClass the class of service for its packets, in the network's own terms; {@link
 *     #UNDEFINED} leaves it to the plugin
 */
public record NetCommConfig(int trafficClass) {

  /** No traffic class was asked for; mirrors {@code NCCL_NET_TRAFFIC_CLASS_UNDEF}. */
  public static final int UNDEFINED = -1;

  /** Nothing in particular is asked for. */
  public static final NetCommConfig DEFAULT = new NetCommConfig(UNDEFINED);
}
