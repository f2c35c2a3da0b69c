// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;

class AddressesTest {
  private static final InetAddress LINK_LOCAL = InetAddress.ofLiteral("fe80::1");

  /** The name of the interface is of use in messages only, and the interface need not be there. */
  @Test
  void aLinkLocalAddressGetsTheScopeOfOnesOwn() throws Exception {
    InetAddress own = Inet6Address.getByAddress(null, LINK_LOCAL.getAddress(), 4711);
    assertThat(scope(Addresses.scoped(LINK_LOCAL, own))).isEqualTo(4711);
    assertThat(Addresses.scoped(own, InetAddress.ofLiteral("192.0.2.1"))).isSameAs(own);
  }

  @Test
  void onesOwnAddressMayBeOfAnotherKind() throws Exception {
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress own : each.inetAddresses().toList()) {
        assertThat(scope(Addresses.scoped(LINK_LOCAL, own)))
            .isEqualTo(own.isLoopbackAddress() ? 0 : each.getIndex());
      }
    }
  }

  @Test
  void othersNeedNoScope() {
    for (String each : new String[] {"192.0.2.1", "169.254.0.1", "2001:db8::1", "::1"}) {
      InetAddress address = InetAddress.ofLiteral(each);
      assertThat(Addresses.scoped(address, InetAddress.ofLiteral("192.0.2.2"))).isSameAs(address);
    }
    assertThat(Addresses.scoped(LINK_LOCAL, InetAddress.getLoopbackAddress())).isSameAs(LINK_LOCAL);
  }

  private static int scope(InetAddress address) {
    return ((Inet6Address) address).getScopeId();
  }
}
