// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several encrypted streams together, worked by the driver of the comm and by threads. */
class TlsStreamsTest {

  @ParameterizedTest
  @CsvSource({"4,1", "4,4", "1,2", "64,1"})
  void messagesOfAllSizesArriveInOrder(String perThread, String threads) {
    MultiStreamTest.exchange(
        new Loopback(
                "NITINOL_SOCKET_TLS",
                "1",
                "NCCL_NSOCKS_PERTHREAD",
                perThread,
                "NCCL_SOCKET_NTHREADS",
                threads)
            .connected());
  }
}
