// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several streams together that have no system calls of their own. */
class NioStreamsTest {

  @ParameterizedTest
  @CsvSource({"4,1", "4,4", "1,2"})
  void messagesOfAllSizesArriveInOrder(String perThread, String threads) {
    MultiStreamTest.exchange(
        new Loopback(
                "NITINOL_SOCKET_NATIVE",
                "0",
                "NCCL_NSOCKS_PERTHREAD",
                perThread,
                "NCCL_SOCKET_NTHREADS",
                threads)
            .connected());
  }
}
