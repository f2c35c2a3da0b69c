// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.transport.PeerInfo;
import java.util.List;

/**
 * What all ranks of a communicator know of each other, once {@link CommTerms#requireAgreement}
 * holds.
 *
 * @param plugins the plugins of this rank
 * @param collNet this rank's way to use a collective network, or to go on without
 * @param kernelThreads how many threads of this rank's communicator run reductions
 * @param mine the terms of this rank
 * @param all the terms by rank
 */
record CommAgreement(
    CommPlugins plugins,
    CollNetSetup collNet,
    int kernelThreads,
    CommTerms mine,
    List<CommTerms> all) {

  /**
   * Returns the communicator's number. It is rank 0's and reveals nothing of the unique id's
   * secret, which a plugin might send or print; it differs even where {@code NCCL_COMM_ID} gives
   * the same id again.
   */
  long number() {
    return all.getFirst().number();
  }

  int channels() {
    return mine.channels();
  }

  /** Returns the facts of rank 0, from which all ranks choose alike. */
  HostFacts facts() {
    return all.getFirst().facts();
  }

  PeerInfo[] peers() {
    return all.stream().map(CommTerms::peer).toArray(PeerInfo[]::new);
  }
}
