// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_device_attr;
import java.lang.foreign.MemorySegment;

/**
 * What a device can do ({@code struct ibv_device_attr}, those fields that are used).
 *
 * @param firmware the firmware's version
 * @param nodeGuid the node's GUID as a number
 * @param systemImageGuid the GUID of the card, the same for all its functions
 * @param vendorId the vendor
 * @param vendorPartId the vendor's number of the part
 * @param ports number of physical ports; they count from 1
 * @param maxQueuePairs most queue pairs
 * @param maxWorkRequests most outstanding work requests of one queue
 * @param maxEntriesPerRequest most scatter/gather entries of one request
 * @param maxCompletionQueues most completion queues
 * @param maxCompletions most entries of one completion queue
 * @param maxRegions most memory regions
 * @param maxRegionBytes largest memory region
 * @param maxReads most outstanding READs that a queue pair can answer
 */
public record DeviceAttributes(
    String firmware,
    long nodeGuid,
    long systemImageGuid,
    int vendorId,
    int vendorPartId,
    int ports,
    int maxQueuePairs,
    int maxWorkRequests,
    int maxEntriesPerRequest,
    int maxCompletionQueues,
    int maxCompletions,
    int maxRegions,
    long maxRegionBytes,
    int maxReads) {

  static DeviceAttributes of(MemorySegment attributes) {
    return new DeviceAttributes(
        ibv_device_attr.fw_ver(attributes).getString(0),
        Long.reverseBytes(ibv_device_attr.node_guid(attributes)),
        Long.reverseBytes(ibv_device_attr.sys_image_guid(attributes)),
        ibv_device_attr.vendor_id(attributes),
        ibv_device_attr.vendor_part_id(attributes),
        Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(attributes)),
        ibv_device_attr.max_qp(attributes),
        ibv_device_attr.max_qp_wr(attributes),
        ibv_device_attr.max_sge(attributes),
        ibv_device_attr.max_cq(attributes),
        ibv_device_attr.max_cqe(attributes),
        ibv_device_attr.max_mr(attributes),
        ibv_device_attr.max_mr_size(attributes),
        ibv_device_attr.max_qp_rd_atom(attributes));
  }
}
