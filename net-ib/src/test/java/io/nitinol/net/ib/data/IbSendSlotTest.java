// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How messages find their pieces, on a clear-to-send table that a test writes. */
class IbSendSlotTest {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(ClearToSend.SIZE, ClearToSend.ENTRY);
  private final ClearToSend table = new ClearToSend(memory);
  private final IbSendSlot outgoing = new IbSendSlot();

  @AfterEach
  void free() {
    arena.close();
  }

  private void write(long receive, int... tags) {
    for (int i = 0; i < tags.length; i++) {
      int[] keys = {10 + i, 20 + i};
      table.write(receive, i, tags.length, 0x1000L * (i + 1), 64L * (i + 1), keys, tags[i]);
    }
  }

  private boolean open(long receive) {
    return outgoing.open(table, receive, 2, "peer");
  }

  @Test
  void nothingIsThereBeforeItsNumber() {
    assertThat(open(0)).isFalse();
    write(0, 5);
    assertThat(open(32)).as("the slot's next turn").isFalse();
    assertThat(open(0)).isTrue();
    assertThat(outgoing.address(0)).isEqualTo(0x1000);
    assertThat(outgoing.room(0)).isEqualTo(64);
    assertThat(outgoing.key(0, 0)).isEqualTo(10);
    assertThat(outgoing.key(0, 1)).isEqualTo(20);
  }

  @Test
  void aReceiveIsReadWholeOrNotAtAll() {
    table.write(3, 0, 2, 0x1000, 64, new int[] {1, 2}, 7);
    assertThat(open(3)).isFalse();
    table.write(3, 1, 2, 0x2000, 64, new int[] {1, 2}, 8);
    assertThat(open(3)).isTrue();
    assertThat(outgoing.pieces).isEqualTo(2);
  }

  /** As a device that is software may store it: any words of the entry first. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anEntryOfWhichAPartIsStillToComeIsNotRead(int pieces) {
    int words = ClearToSend.ENTRY / Long.BYTES;
    MemorySegment entry = memory.asSlice(ClearToSend.offset(0, pieces), ClearToSend.ENTRY);
    table.write(0, 0, pieces, 0x1000, 64, new int[] {1, 2}, 7);
    long[] before = entry.toArray(ValueLayout.JAVA_LONG);
    for (int i = 0; i < pieces; i++) {
      table.write(32, i, pieces, 0x2000 + i, 128, new int[] {3, 4}, 8 + i);
    }
    long[] after = entry.toArray(ValueLayout.JAVA_LONG);
    int whole = 0;
    for (int come = 0; come < 1 << words; come++) {
      boolean all = true;
      for (int word = 0; word < words; word++) {
        boolean isHere = (come >> word & 1) == 1;
        entry.setAtIndex(ValueLayout.JAVA_LONG, word, isHere ? after[word] : before[word]);
        all &= isHere || before[word] == after[word];
      }
      outgoing.stage = IbSendSlot.Stage.WAITING;
      assertThat(open(32)).as("words %s", Integer.toBinaryString(come)).isEqualTo(all);
      whole += all ? 1 : 0;
    }
    assertThat(whole).as("as words 3 to 5 are the same").isEqualTo(8);
    assertThat(outgoing.address(0)).isEqualTo(0x2000);
  }

  /** What was there before at the place of receives of another kind says nothing. */
  @Test
  void receivesOfOneAndOfSeveralPiecesTakeTurns() {
    for (int receive = 0; receive < 5 * IbSlots.COUNT; receive++) {
      int[] tags = new int[1 + receive / IbSlots.COUNT % 2];
      assertThat(open(receive)).isFalse();
      write(receive, tags);
      assertThat(open(receive)).isTrue();
      assertThat(outgoing.pieces).isEqualTo(tags.length);
      outgoing.stage = IbSendSlot.Stage.WAITING;
    }
  }

  @Test
  void equalTagsAreFilledInOrder() {
    write(0, 7, 8, 7);
    assertThat(open(0)).isTrue();
    assertThat(outgoing.find(9)).isEqualTo(-1);
    assertThat(outgoing.find(7)).isEqualTo(0);
    put(0, 1);
    assertThat(outgoing.find(7)).isEqualTo(2);
    put(2, 1);
    assertThat(outgoing.find(7)).isEqualTo(-1);
    assertThat(outgoing.stage).isEqualTo(IbSendSlot.Stage.MATCHING);
    put(outgoing.find(8), 1);
    assertThat(outgoing.stage).isEqualTo(IbSendSlot.Stage.POSTING);
    assertThat(outgoing.tooLong).isFalse();
  }

  @Test
  void aMessageThatIsTooLongIsToldAtOnce() {
    write(0, 7, 8);
    assertThat(open(0)).isTrue();
    put(1, 129);
    assertThat(outgoing.stage).isEqualTo(IbSendSlot.Stage.POSTING);
    assertThat(outgoing.tooLong).isTrue();
    assertThat(outgoing.length(0)).isZero();
    assertThat(outgoing.length(1)).isEqualTo(129);
  }

  /** Not what is left of its size in 32 bits, which would fit. */
  @Test
  void aMessageOfFourGibibytesIsTooLongForThePeerToo() {
    write(0, 7);
    assertThat(open(0)).isTrue();
    put(0, (1L << 32) + 10);
    assertThat(outgoing.tooLong).isTrue();
    assertThat(Integer.toUnsignedLong(outgoing.immediate())).isEqualTo(0xffff_ffffL);
    MemorySegment own = arena.allocate(SizeRecords.SIZE);
    SizeRecords sizes = new SizeRecords(own);
    sizes.set(3, 1, (1L << 32) + 10);
    sizes.set(3, 2, Integer.MAX_VALUE);
    assertThat(sizes.get(3, 1)).isEqualTo(0xffff_ffffL);
    assertThat(sizes.get(3, 2)).isEqualTo(Integer.MAX_VALUE);
    assertThat(SizeRecords.text(sizes.get(3, 1))).isEqualTo("4294967295 or more bytes");
    assertThat(SizeRecords.text(sizes.get(3, 2))).isEqualTo("2147483647 bytes");
  }

  @Test
  void entriesThatMakeNoSenseAreNamed() {
    for (int lie : new int[] {0, 9, -1, Integer.MIN_VALUE}) {
      table.write(0, 0, lie, 0x1000, 64, new int[] {1, 2}, 7);
      assertThatThrownBy(() -> open(0))
          .isInstanceOf(NetException.class)
          .hasMessageContainingAll("peer", "receive 0", lie + " pieces");
    }
    table.write(0, 0, 1, 0x1000, -1, new int[] {1, 2}, 7);
    assertThatThrownBy(() -> open(0))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("room for -1 bytes");
  }

  private void put(int piece, long length) {
    IbRequest request = new IbRequest.Pool(null, 1, 1).take(1, 1);
    outgoing.put(piece, request, null, 0, length);
  }
}
