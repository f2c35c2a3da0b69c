// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.NewestNet;
import io.nitinol.tck.peer.PeerMain;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network that never has room for a send where it runs in the process of a peer. A send of the
 * length {@link #THROWS} has no room at first, and throws later.
 */
public final class TakesNoSendInAnotherProcess extends NewestNet {
  /** The length of a message, in bytes, whose send fails. */
  public static final long THROWS = 777;

  private static final boolean THERE =
      System.getProperty("sun.java.command", "").contains(PeerMain.class.getName());

  /** Longer than the kit waits for room in the command that sends. */
  private static final long LATER = TimeUnit.MILLISECONDS.toNanos(400);

  private long asked;

  /** For the kit. */
  public TakesNoSendInAnotherProcess() {
    super(new SocketNet());
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    if (!THERE) {
      return super.isend(comm, mr, offset, length, tag, profilerHandle);
    }
    if (length == THROWS) {
      asked = asked == 0 ? System.nanoTime() : asked;
      if (System.nanoTime() - asked > LATER) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "no send today");
      }
    }
    return null;
  }
}
