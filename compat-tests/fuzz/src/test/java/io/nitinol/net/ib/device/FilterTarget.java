// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.ib.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The cards and addresses that a user lets IB use. */
public final class FilterTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    try {
      HcaFilter filter = HcaFilter.parse(text);
      FuzzTarget.require(
          !filter.accepts("mlx5_0", 1) || filter.mayAccept("mlx5_0"), "a card without its port");
    } catch (IllegalArgumentException e) {
      FuzzTarget.require(String.valueOf(e.getMessage()).contains("NCCL_IB_HCA"), "" + e);
    }
    try {
      AddressRange range = AddressRange.parse(text);
      FuzzTarget.require(range.bits() >= 0 && range.bits() <= 128, "" + range);
      FuzzTarget.require(
          range.contains(range.network()) || range.ipv6() == range.network().isIpv4(),
          "a range without its address: " + range);
      range.contains(new Gid(0, 0));
    } catch (IllegalArgumentException e) {
      FuzzTarget.require(String.valueOf(e.getMessage()).contains("NCCL_IB_ADDR_RANGE"), "" + e);
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(HcaFilter.class, AddressRange.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        "^=mlx5_0:1,mlx5_1:2:3:4".getBytes(StandardCharsets.UTF_8),
        "10.1.0.0/16".getBytes(StandardCharsets.UTF_8),
        "fd00:1::/32".getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int mostBytes() {
    return 120;
  }
}
