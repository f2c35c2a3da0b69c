// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;

/**
 * A rank of this process that {@code nitinol top} may ask about.
 *
 * @param report what it tells
 * @param bootstrap knows where the other ranks of its communicator listen
 */
@AnyThread
record LiveMember(RankReport report, Bootstrap bootstrap) {
  /**
   * Adds what {@code nitinol top --job} needs to ask the others, as a JSON object.
   *
   * @param withKey the key too, for the user that owns the process
   */
  void append(StringBuilder text, boolean withKey) {
    List<PeerInfo> peers = report.peers();
    List<InetSocketAddress> addresses = bootstrap.addresses();
    text.append("{\"communicator\":\"").append(Long.toHexString(report.communicator()));
    text.append("\",\"size\":").append(peers.size());
    if (withKey) {
      text.append(",\"key\":\"").append(HexFormat.of().formatHex(bootstrap.lookKey())).append('"');
    }
    text.append(",\"members\":[");
    for (int rank = 0; rank < addresses.size(); rank++) {
      InetSocketAddress address = addresses.get(rank);
      text.append(rank > 0 ? ",\n" : "\n").append("{\"rank\":").append(rank);
      text.append(",\"host\":\"").append(Long.toHexString(peers.get(rank).host()));
      text.append("\",\"process\":\"").append(Long.toHexString(peers.get(rank).pid()));
      text.append("\",\"address\":\"").append(address.getAddress().getHostAddress());
      text.append("\",\"port\":").append(address.getPort()).append('}');
    }
    text.append("]}");
  }
}
