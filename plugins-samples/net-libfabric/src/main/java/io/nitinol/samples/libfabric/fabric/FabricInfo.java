// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.samples.libfabric.ffi.fabric_h;
import io.nitinol.samples.libfabric.ffi.fi_domain_attr;
import io.nitinol.samples.libfabric.ffi.fi_ep_attr;
import io.nitinol.samples.libfabric.ffi.fi_fabric_attr;
import io.nitinol.samples.libfabric.ffi.fi_info;
import io.nitinol.samples.libfabric.ffi.fi_link_attr;
import io.nitinol.samples.libfabric.ffi.fi_tx_attr;
import io.nitinol.samples.libfabric.ffi.fid_nic;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * One way to communicate that {@code fi_getinfo} offers: a provider, a domain and what they ask
 * for. Holds native memory for the life of the process.
 *
 * @param segment the {@code struct fi_info}
 * @param provider the provider's name, such as {@code tcp;ofi_rxm}
 * @param domain the domain's name, such as {@code eth0}
 * @param addressFormat {@code fi_info.addr_format}
 * @param longestMessage the longest message in bytes
 * @param tagMask the bits of a tag that the provider compares
 * @param mrMode which rules of memory registration the provider asks for
 * @param delivered whether a send completes only once the peer has the message
 * @param speed bits per second; 0 where the provider does not know
 */
public record FabricInfo(
    MemorySegment segment,
    String provider,
    String domain,
    int addressFormat,
    long longestMessage,
    long tagMask,
    int mrMode,
    boolean delivered,
    long speed) {

  /**
   * Over sockets each message that is to be delivered first is answered by one of its own. Here the
   * receiving end tells that instead, and many short messages together.
   */
  private static final Set<String> SOCKETS = Set.of("tcp;ofi_rxm", "tcp");

  static FabricInfo of(MemorySegment entry, boolean delivered) {
    // What the list holds is freed with it.
    MemorySegment info = fi_info.reinterpret(fabric_h.fi_dupinfo(entry));
    MemorySegment ep = fi_ep_attr.reinterpret(fi_info.ep_attr(info));
    MemorySegment domain = fi_domain_attr.reinterpret(fi_info.domain_attr(info));
    MemorySegment fabric = fi_fabric_attr.reinterpret(fi_info.fabric_attr(info));
    long longest = fi_ep_attr.max_msg_size(ep);
    String provider = FabricFailure.string(fi_fabric_attr.prov_name(fabric));
    boolean answered = delivered && !SOCKETS.contains(provider);
    if (delivered && !answered) {
      MemorySegment sends = fi_tx_attr.reinterpret(fi_info.tx_attr(info));
      fi_tx_attr.op_flags(sends, fi_tx_attr.op_flags(sends) & ~fabric_h.FI_DELIVERY_COMPLETE());
    }
    return new FabricInfo(
        info,
        provider,
        FabricFailure.string(fi_domain_attr.name(domain)),
        fi_info.addr_format(info),
        longest < 0 ? Long.MAX_VALUE : longest,
        filled(fi_ep_attr.mem_tag_format(ep)),
        fi_domain_attr.mr_mode(domain),
        answered,
        speed(info));
  }

  /** {@return whether operations need the descriptor of registered memory} */
  public boolean needsLocal() {
    return (mrMode & fabric_h.FI_MR_LOCAL()) != 0;
  }

  /** {@return whether the provider chooses the keys of registered memory} */
  boolean choosesKeys() {
    return (mrMode & fabric_h.FI_MR_PROV_KEY()) != 0;
  }

  /**
   * {@return whether a send may complete before the peer has the message, and the receiving end
   * tells which it has}
   */
  public boolean tellsArrivals() {
    return SOCKETS.contains(provider);
  }

  /** {@return whether addresses are names, which end with a zero byte and may have any length} */
  public boolean hasNames() {
    return addressFormat == fabric_h.FI_ADDR_STR();
  }

  /**
   * {@return whether the provider looks at unread messages while it closes an endpoint, and answers
   * those that a receive is posted for, though there is nothing left to answer with}
   */
  boolean answersWhileItCloses() {
    return provider.startsWith("verbs");
  }

  /** {@return the provider and the domain, for messages} */
  public String label() {
    return provider + " on " + domain;
  }

  MemorySegment fabricAttributes() {
    return fi_info.fabric_attr(segment);
  }

  /** A format is alternating runs of bits: all below the highest one are compared. */
  private static long filled(long format) {
    return format == 0 ? -1L : -1L >>> Long.numberOfLeadingZeros(format);
  }

  private static long speed(MemorySegment info) {
    MemorySegment nic = fi_info.nic(info);
    if (nic.address() == 0) {
      return 0;
    }
    MemorySegment link = fid_nic.link_attr(fid_nic.reinterpret(nic));
    return link.address() == 0 ? 0 : fi_link_attr.speed(fi_link_attr.reinterpret(link));
  }
}
