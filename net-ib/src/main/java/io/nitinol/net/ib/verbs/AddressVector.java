// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_ah_attr;
import io.nitinol.net.ib.ffi.ibv_global_route;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * How packets get from a port of this device to the peer's.
 *
 * @param port number of the local port, from 1
 * @param lid the peer's LID, 0 on Ethernet
 * @param serviceLevel service level, 0 to 15
 * @param global the part of the address that crosses subnets; needed on Ethernet, null for none
 */
public record AddressVector(int port, int lid, int serviceLevel, @Nullable Global global) {

  /**
   * The global route header.
   *
   * @param destination the peer's GID
   * @param sourceIndex index of the local GID
   * @param flowLabel flow label, 20 bits
   * @param hopLimit hops that a packet may take, 255 in NCCL
   * @param trafficClass traffic class, 8 bits
   */
  public record Global(
      Gid destination, int sourceIndex, int flowLabel, int hopLimit, int trafficClass) {}

  void write(MemorySegment address) {
    ibv_ah_attr.dlid(address, (short) lid);
    ibv_ah_attr.sl(address, (byte) serviceLevel);
    ibv_ah_attr.port_num(address, (byte) port);
    Global route = global;
    if (route != null) {
      ibv_ah_attr.is_global(address, (byte) 1);
      MemorySegment header = ibv_ah_attr.grh(address);
      route.destination().write(ibv_global_route.dgid(header));
      ibv_global_route.flow_label(header, route.flowLabel());
      ibv_global_route.sgid_index(header, (byte) route.sourceIndex());
      ibv_global_route.hop_limit(header, (byte) route.hopLimit());
      ibv_global_route.traffic_class(header, (byte) route.trafficClass());
    }
  }
}
