// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.toolkit.proof.RefusedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Messages of the bootstrap: frames of every type, the greeting of a rank, addresses. What is read
 * is what it would be written as, and no text from afar has control characters.
 */
public final class BootstrapFrameTarget implements FuzzTarget {
  private static final InetAddress OWN = InetAddress.ofLiteral("fe80::1%1");

  @Override
  public void run(byte[] input) {
    frame(input);
    greeting(Arrays.copyOf(input, 10));
    address(ByteBuffer.wrap(input));
  }

  private static void frame(byte[] bytes) {
    Frame frame;
    try {
      frame = Frame.decode(bytes.clone());
    } catch (IOException e) {
      return;
    }
    byte[] again = frame.encode().array();
    FuzzTarget.require(
        Arrays.equals(again, 4, again.length, bytes, 0, bytes.length), "other bytes");
    FuzzTarget.require(Frame.isMessage(frame.encode()) == frame.type().isMessage(), "a message");
    String text = frame.text();
    FuzzTarget.require(text.chars().noneMatch(Character::isISOControl), "control characters");
    Frame told = Frame.ofText(frame.type(), frame.tag(), text);
    FuzzTarget.require(told.text().length() <= text.length(), "a longer text");
  }

  private static void greeting(byte[] words) {
    JobSecret secret = new JobSecret(new byte[16], true);
    for (RankGreeting end :
        List.of(
            RankGreeting.acceptor(secret, 2),
            RankGreeting.connector(secret, RankGreeting.Kind.RING, 1, 3, 2))) {
      try {
        end.hear(ByteBuffer.wrap(words));
        boolean looks = end.kind() == RankGreeting.Kind.LOOK;
        FuzzTarget.require(looks == (end.peer() == RankGreeting.LOOKER), "a rank that looks");
        FuzzTarget.require(
            end.unproven().contains(looks ? "nitinol top --job" : "rank " + end.peer()),
            "a rank without name");
      } catch (RefusedException e) {
        FuzzTarget.require(e.getMessage() != null, "no reason");
      }
    }
  }

  private static void address(ByteBuffer in) {
    InetSocketAddress address;
    try {
      address = Address.decode(in, OWN);
    } catch (BootstrapException e) {
      return;
    }
    byte[] again = Address.encode(address);
    FuzzTarget.require(again.length <= Address.MAX_BYTES, "too long");
    FuzzTarget.require(
        Address.decode(ByteBuffer.wrap(again), OWN).equals(address), "another address");
    FuzzTarget.require(Address.text(address).contains(":" + address.getPort()), "no port");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(Frame.class, FrameType.class, RankGreeting.class, Address.class);
  }

  @Override
  public List<byte[]> seeds() {
    byte[] text = "rank 3 has gone".getBytes(StandardCharsets.UTF_8);
    byte[] framed = new Frame(FrameType.FAILED, 3, text).encode().array();
    return List.of(
        Arrays.copyOfRange(framed, 4, framed.length),
        Address.encode(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 80)),
        Address.encode(new InetSocketAddress(InetAddress.ofLiteral("fe80::2"), 81)));
  }
}
