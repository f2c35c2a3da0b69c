// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.core.live.LiveRequest;
import io.nitinol.core.live.LiveServer;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of this process that {@code nitinol top} may ask about. The process listens from the
 * first on until the last is removed.
 */
@AnyThread
final class LiveRanks {
  private static final List<RankReport> RANKS = new CopyOnWriteArrayList<>();

  private static @Nullable LiveServer server;
  private static boolean isTold;

  private LiveRanks() {}

  /** Adds a rank, unless {@code NITINOL_TOP} is 0. A process that cannot listen goes on without. */
  static synchronized void add(RankReport rank, Settings settings, DebugLogger logger) {
    if (!settings.get(CoreVariables.TOP)) {
      return;
    }
    RANKS.add(rank);
    if (server != null && server.isOpen()) {
      return;
    }
    try {
      server =
          LiveServer.open(
              LiveDirectory.ofUser(), HostIdentity.process(), LiveRanks::answer, logger);
    } catch (IOException | RuntimeException e) {
      if (!isTold) {
        isTold = true;
        logger.info(
            LogSubsystem.INIT,
            "LiveRanks",
            ErrorText.of("nitinol top cannot see this process: %s", ErrorText.reason(e)));
      }
    }
  }

  /** Removes a rank, if it was added. */
  static synchronized void remove(RankReport rank) {
    RANKS.remove(rank);
    LiveServer open = server;
    if (RANKS.isEmpty() && open != null) {
      server = null;
      open.close();
    }
  }

  /** Takes no lock: a rank that is just being removed may be told of or not. */
  private static String answer(LiveRequest request) {
    StringBuilder text = new StringBuilder();
    text.append("{\"format\":\"nitinol-top\",\"version\":1,\"pid\":");
    text.append(ProcessHandle.current().pid()).append(",\"ranks\":[");
    String comma = "";
    for (RankReport rank : RANKS) {
      String told = told(rank);
      if (told != null) {
        text.append(comma).append(told);
        comma = ",";
      }
    }
    return text.append("]}\n").toString();
  }

  private static @Nullable String told(RankReport rank) {
    try {
      return rank.live();
    } catch (RuntimeException e) {
      return null; // it is being closed, and has changed while it was looked at
    }
  }
}
