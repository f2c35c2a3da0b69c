// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

/**
 * What two devices of one vendor agree on while connecting ({@code struct ibv_ece}): the side that
 * accepts sets what the other offered, reads what is left of it and sends that back.
 *
 * @param vendorId the vendor
 * @param options bits of the vendor's
 * @param mask which further fields count, none so far
 */
public record Ece(int vendorId, int options, int mask) {
  /** Of a device that has nothing of the kind. */
  public static final Ece NONE = new Ece(0, 0, 0);
}
