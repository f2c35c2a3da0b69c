// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists cards: libibverbs's, or a test's. */
@FunctionalInterface
interface CardSource {

  /** A card that is not open. */
  interface Card {

    /** Returns its name, such as {@code mlx5_0}. */
    String name();

    /**
     * Opens it.
     *
     * @return the open card, which the caller closes
     * @throws io.nitinol.spi.NetException when it cannot be opened
     */
    OpenCard open();
  }

  /** The cards of this machine; those that have been opened outlive it. */
  interface Listing extends AutoCloseable {

    List<Card> cards();

    /** Returns why there are none, or null where there are some. */
    @Nullable String emptyReason();

    @Override
    void close();
  }

  /** Lists the cards as they are now. */
  Listing list();
}
