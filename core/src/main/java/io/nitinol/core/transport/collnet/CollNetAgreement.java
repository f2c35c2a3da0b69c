// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How all ranks come to know whether something worked on each of them. */
final class CollNetAgreement {
  private static final int MOST_TEXT = 2_000;
  private static final int MOST_TOLD = 4;
  private static final byte DONE = 1;
  private static final byte FAILED = 0;

  private final Bootstrap bootstrap;
  private final Consumer<String> notUsed;
  private final String network;

  /**
   * Creates an agreement.
   *
   * @param notUsed gets the sentence on why the network is not used
   */
  CollNetAgreement(Bootstrap bootstrap, Consumer<String> notUsed, String network) {
    this.bootstrap = bootstrap;
    this.notUsed = notUsed;
    this.network = network;
  }

  /**
   * Does this rank's part and hears how the others fared.
   *
   * @return what each rank's part gave; null where one failed, which is reported
   * @throws CommException when the communicator failed meanwhile
   * @throws io.nitinol.core.bootstrap.BootstrapException when a rank has gone
   */
  byte @Nullable [][] on(Supplier<byte[]> part) {
    byte[][] all = bootstrap.allGather(answer(part));
    StringBuilder why = new StringBuilder();
    int failed = 0;
    for (int rank = 0; rank < all.length; rank++) {
      byte[] said = all[rank];
      if (said.length > 0 && said[0] == DONE) {
        all[rank] = Arrays.copyOfRange(said, 1, said.length);
      } else if (++failed <= MOST_TOLD) {
        why.append(failed == 1 ? "rank " : "; rank ").append(rank).append(": ");
        why.append(new String(said, 1, said.length - 1, StandardCharsets.UTF_8));
      }
    }
    if (failed == 0) {
      return all;
    }
    notUsed.accept(
        ErrorText.of(
            "CollNet %s is not used by this communicator: %s%s",
            network, why, failed > MOST_TOLD ? "; and " + (failed - MOST_TOLD) + " more" : ""));
    return null;
  }

  private static byte[] answer(Supplier<byte[]> part) {
    try {
      return front(DONE, part.get());
    } catch (BootstrapException e) {
      return failed(e.getMessage());
    } catch (CommException e) {
      throw e;
    } catch (Throwable e) {
      // Whatever the plugin throws, the communicator goes on without it.
      return failed(e instanceof NetException ? e.getMessage() : e.toString());
    }
  }

  private static byte[] failed(@Nullable String why) {
    byte[] text = String.valueOf(why).getBytes(StandardCharsets.UTF_8);
    return front(FAILED, Arrays.copyOf(text, Math.min(text.length, MOST_TEXT)));
  }

  private static byte[] front(byte first, byte[] rest) {
    byte[] all = new byte[1 + rest.length];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }
}
