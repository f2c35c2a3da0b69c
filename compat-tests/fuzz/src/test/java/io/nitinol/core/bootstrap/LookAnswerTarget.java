// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.fuzz.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What a member sends to {@code nitinol top --job} once it has proven itself: a confirmation and
 * one frame. It is the member's answer, or a sentence that a terminal may show.
 */
public final class LookAnswerTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    byte[] answer;
    try {
      answer = MemberLook.answer(Channels.newChannel(new ByteArrayInputStream(input)));
    } catch (IOException e) {
      String why = e.getMessage();
      FuzzTarget.require(why != null && !why.isEmpty(), "no reason");
      FuzzTarget.require(why.chars().noneMatch(Character::isISOControl), "control characters");
      FuzzTarget.require(why.length() < 500, "a long reason");
      return;
    }
    byte[] sent = sent(new Frame(FrameType.STATE, ByteBuffer.wrap(input).getInt(9), answer));
    FuzzTarget.require(
        Arrays.equals(sent, 0, sent.length, input, 0, sent.length), "another answer");
  }

  private static byte[] sent(Frame frame) {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    sent.writeBytes(new byte[4]);
    sent.writeBytes(frame.encode().array());
    return sent.toByteArray();
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(MemberLook.class, Frame.class, FrameType.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        sent(new Frame(FrameType.STATE, 0, "{}\n".getBytes(StandardCharsets.UTF_8))),
        sent(Frame.ofText(FrameType.REFUSAL, 0, "has NITINOL_TOP=0")),
        sent(Frame.ofText(FrameType.MESSAGE, 0, "a message")));
  }
}
