// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.verbs.DeviceList;
import io.nitinol.net.ib.verbs.Errno;
import io.nitinol.net.ib.verbs.Verbs;
import io.nitinol.net.ib.verbs.VerbsDevice;
import io.nitinol.net.ib.verbs.VerbsException;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cards that libibverbs knows. */
final class VerbsCards implements CardSource {
  private final DebugLogger logger;

  /**
   * Makes the list.
   *
   * @param logger the plugin's log
   */
  VerbsCards(DebugLogger logger) {
    this.logger = logger;
  }

  private record Found(VerbsDevice device) implements Card {

    @Override
    public String name() {
      return device.name();
    }

    @Override
    public OpenCard open() {
      try {
        return new VerbsCard(device.open());
      } catch (VerbsException e) {
        // Not by the error number alone: libibverbs looks for the file in a second place when it is
        // refused in the first, and then says that there is none.
        Path file = Path.of("/dev/infiniband", device.fileName());
        boolean refused = Files.exists(file) && !(Files.isReadable(file) && Files.isWritable(file));
        if (refused || e.errno() == Errno.EACCES || e.errno() == Errno.EPERM) {
          throw new NetException(
              ResultCode.SYSTEM_ERROR,
              ErrorText.of(
                  "permission denied on %s (is this user in the group that the file belongs to,"
                      + " usually rdma?)",
                  file),
              e);
        }
        throw e;
      }
    }
  }

  private record Known(DeviceList list) implements Listing {

    @Override
    public List<Card> cards() {
      return list.devices().stream().<Card>map(Found::new).toList();
    }

    @Override
    public @Nullable String emptyReason() {
      return list.emptyReason();
    }

    @Override
    public void close() {
      list.close();
    }
  }

  @Override
  public Listing list() {
    if (Verbs.absence() == null) {
      prepareForChildren();
    }
    return new Known(DeviceList.read());
  }

  /**
   * Before the first registration, as NCCL does. A kernel before 5.12 copies pages of registered
   * memory when a child is made by {@code fork} (which is not the JDK's way), and the card may be
   * left with the copy that the parent does not see.
   */
  private void prepareForChildren() {
    try {
      Verbs.forkInit();
    } catch (VerbsException e) {
      logger.warn(
          "net-ib",
          ErrorText.of(
              "NET/IB : %s; on a kernel before 5.12 registered memory is not safe in a process"
                  + " that forks",
              e.getMessage()));
    }
  }
}
