// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.data.ClearToSend;
import io.nitinol.net.ib.data.IbConnection;
import io.nitinol.net.ib.data.QueuePairRenewal;
import io.nitinol.toolkit.control.FrameException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Connects the queue pairs that a comm gets for those that have failed: as the first ones, but for
 * what does not change.
 */
final class Rejoining implements QueuePairRenewal {
  private final IbConnection connection;
  private final IbOptions options;
  private final EndInfo before;
  private final long address;
  private final Pace pace = new Pace();

  private @Nullable QueuePairSetup setup;
  private @Nullable EndInfo peer;

  /**
   * Does nothing yet.
   *
   * @param before what the peer said when the first queue pairs were made
   * @param address where the peer writes
   */
  Rejoining(IbConnection connection, IbOptions options, EndInfo before, long address) {
    this.connection = connection;
    this.options = options;
    this.before = before;
    this.address = address;
  }

  @Override
  public void begin() {
    setup = new QueuePairSetup(connection, options.connection(), pace);
    peer = null;
  }

  @Override
  public boolean make() {
    pace.begin();
    return setup().make();
  }

  @Override
  public ByteBuffer info() {
    return own().encode();
  }

  private EndInfo own() {
    return setup().info(options, address);
  }

  @Override
  public void heard(ByteBuffer info) throws FrameException {
    EndInfo heard = EndInfo.decode(info);
    PeerCheck.check(
        connection.label(),
        connection.device().linkLayer(),
        connection.paths().lanes(),
        ClearToSend.SIZE,
        Integer.BYTES,
        heard);
    if (!heard.ports().equals(before.ports()) || heard.address() != before.address()) {
      throw new FrameException("other ports or memory than when the connection was made");
    }
    peer = heard;
  }

  @Override
  public boolean connect() {
    pace.begin();
    EndInfo other = Objects.requireNonNull(peer, "what the peer has said");
    return setup().connect(other, connection.clearing() == 0 ? own() : other);
  }

  private QueuePairSetup setup() {
    return Objects.requireNonNull(setup, "setup");
  }
}
