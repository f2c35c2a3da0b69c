// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomWishTest {
  private static final long MIB = 1L << 20;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private static RoomWish[] wishes(long free, long... bytes) {
    byte[][] words = new byte[bytes.length][];
    for (int rank = 0; rank < bytes.length; rank++) {
      words[rank] = new RoomWish(bytes[rank], rank == 0 ? free : UNKNOWN).toBytes();
    }
    return RoomWish.fromBytes(words);
  }

  @ParameterizedTest(name = "{0} KiB free, {1} and {2} bytes: {3}")
  @CsvSource({
    "65536, 41943040, 41943040, 1", // each alone would fit
    "65536, 41943040, 20971520, -1",
    "65536, 67108864, 1, 0", // the headers take room, too
    "16, 4096, 4096, -1",
    "16, 4096, 4097, 1",
    "16, 4097, 4096, 1",
    "16, 9223372036854775807, 9223372036854775807, 0",
    "0, 1, 1, 0"
  })
  void theSumOfAllRanksHasToFit(long freeKib, long first, long second, int without) {
    assertThat(RoomWish.firstWithoutRoom(wishes(freeKib << 10, first, second))).isEqualTo(without);
  }

  @Test
  void whereTheRoomIsNotKnownTheAttemptTells() {
    assertThat(RoomWish.firstWithoutRoom(wishes(UNKNOWN, 1L << 50, 1L << 50))).isEqualTo(-1);
  }

  @Test
  void aTotalBeyondAllNumbersIsTheLargest() {
    assertThat(RoomWish.total(wishes(0, 3 * MIB, 4 * MIB))).isEqualTo(7 * MIB);
    assertThat(RoomWish.total(wishes(0, Long.MAX_VALUE, MIB))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aWishThatIsNoneNamesItsRank() {
    byte[][] words = {new RoomWish(1, 2).toBytes(), {1, 2, 3}};
    assertThatThrownBy(() -> RoomWish.fromBytes(words))
        .isInstanceOf(CommException.class)
        .hasMessageStartingWith("allocate: rank 1 tells 3 bytes that ask for 0; expected 16 ");
    words[1] = new RoomWish(-5, 2).toBytes();
    assertThatThrownBy(() -> RoomWish.fromBytes(words))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("ask for -5");
  }
}
