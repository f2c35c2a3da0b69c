// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.fuzz.FuzzTarget;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** The calls that ranks compare, and the header in front of each message. */
public final class CallSignatureTarget implements FuzzTarget {
  private static final int RANKS = 5;

  @Override
  public void run(byte[] input) {
    CallSignature.By by = CallSignature.By.of(input, RANKS);
    if (by != null) {
      FuzzTarget.require(by.rank() >= 0 && by.rank() < RANKS, "no such rank");
      FuzzTarget.require(Arrays.equals(by.toBytes(), input), "other bytes");
    }
    header(
        MemorySegment.ofArray(new long[2])
            .copyFrom(MemorySegment.ofArray(Arrays.copyOf(input, 16))));
  }

  private static void header(MemorySegment memory) {
    long word = MessageHeader.word(memory, MessageHeader.BYTES);
    long countWord = MessageHeader.countWord(memory, MessageHeader.BYTES);
    int choice = MessageHeader.choice(word, countWord);
    FuzzTarget.require(choice >= 0 && choice < 1 << MessageHeader.CHOICE_BITS, "a choice");
    FuzzTarget.require(MessageHeader.count(countWord) >= 0, "a negative count");
    FuzzTarget.require(
        MessageHeader.withoutPast(MessageHeader.withoutChoice(word))
            == MessageHeader.withoutChoice(MessageHeader.withoutPast(word)),
        "another word");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(CallSignature.class, MessageHeader.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(new CallSignature.By(1, new CallSignature(2, 3, 4)).toBytes());
  }

  @Override
  public int mostBytes() {
    return 64;
  }
}
