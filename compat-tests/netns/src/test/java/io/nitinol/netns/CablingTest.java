// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CablingTest {
  @Test
  void twoCablesOneOfThemThroughASwitch() throws Exception {
    try (Cabling hosts = Cabling.open(3)) {
      hosts.lay(0, "direct", "10.0.0.1/24", 1, "direct", "10.0.0.2/24");
      hosts.lay(0, "eth0", "10.1.0.1/24", 2, "port0", "10.9.0.1/24");
      hosts.lay(1, "eth0", "10.1.0.2/24", 2, "port1", "10.9.0.2/24");
      hosts.bridge(2, "port0", "port1");
      Courier.carry(hosts.host(0), hosts.host(1), "10.0.0.2");
      Courier.carry(hosts.host(0), hosts.host(1), "10.1.0.2");
    } catch (Unavailable e) {
      System.err.println("no namespaces here: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void listenersAndConnectionsAreListed(String address) throws Exception {
    try (Namespace host = Namespace.open()) {
      assertThat(TcpTable.listening(host)).isEmpty();
      Process receiver =
          new ProcessBuilder(host.command(Courier.java(address)))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader said = receiver.inputReader()) {
        int port = Integer.parseInt(said.readLine());
        assertThat(TcpTable.listening(host))
            .containsExactly(new InetSocketAddress(InetAddress.ofLiteral(address), port));
        assertThat(TcpTable.connected(host)).isEmpty();
      } finally {
        receiver.destroyForcibly();
      }
    } catch (Unavailable e) {
      System.err.println("no namespaces here: " + e.getMessage());
      abort(e.getMessage());
    }
  }
}
