// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.data.ClearToSend;
import io.nitinol.net.ib.data.IbConnection;
import io.nitinol.net.ib.data.IbSlots;
import io.nitinol.net.ib.data.PeerMemory;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.verbs.Ece;
import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.toolkit.control.FrameException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one side of a connection tells the other, so that their cards can talk; NCCL's {@code
 * ncclIbConnectionMetadata}. Both sides send the same fields. All numbers are big-endian.
 *
 * <pre>
 *  0 slots       2 pieces     4 entry size   6 ports       7 queue pairs   8 split   9 traffic class
 * 10 FIFO class 11 service level            12 first packet number 16 address      24 ports, 32 bytes each
 *  . of each queue pair the number and what its card can do beyond the standard, 16 bytes
 *  . length of the name, 1 byte, and the name
 * </pre>
 *
 * @param device the name of the device, for messages
 * @param split whether the sender splits each message over all queue pairs; the sender's holds
 * @param trafficClass the traffic class of data; the sender's holds
 * @param fifoTrafficClass that of clear-to-send messages; the sender's holds
 * @param serviceLevel the InfiniBand service level; the sender's holds
 * @param firstPacket the number of the first packet that this side sends on each queue pair
 * @param address where the peer writes: the sender's clear-to-send table, or the receiver's sizes
 * @param ports the ports of the device
 * @param queuePairs the numbers of the queue pairs, on the ports that {@link
 *     io.nitinol.net.ib.data.Paths} says
 * @param enhancements what the card of each queue pair can do beyond the standard
 */
record EndInfo(
    String device,
    boolean split,
    int trafficClass,
    int fifoTrafficClass,
    int serviceLevel,
    int firstPacket,
    long address,
    List<PortInfo> ports,
    List<Integer> queuePairs,
    List<Ece> enhancements) {

  /** The most queue pairs of a connection; NCCL's {@code NCCL_IB_MAX_QPS}. */
  static final int MOST_QUEUE_PAIRS = 128;

  /** The most bytes that {@link #encode} makes. */
  static final int MOST_BYTES =
      24 + ClearToSend.KEYS * PortInfo.SIZE + 16 * MOST_QUEUE_PAIRS + 1 + 255;

  private static final int MOST_NAME = 255;
  private static final int MOST_PACKET = (1 << 24) - 1;

  /** Returns what the peer has to know of this side. */
  static EndInfo of(
      IbConnection connection,
      IbOptions options,
      long address,
      int firstPacket,
      List<Ece> enhancements) {
    IbDevice device = connection.device();
    List<PortInfo> ports = new ArrayList<>();
    for (int i = 0; i < device.ports().size(); i++) {
      IbPort port = device.ports().get(i);
      ports.add(
          new PortInfo(
              port.linkLayer().code(),
              port.lid(),
              port.activeMtu(),
              port.attributes().maxMessageBytes(),
              port.gid(),
              connection.remoteKey(i)));
    }
    return new EndInfo(
        device.name(),
        options.transfer().split(),
        options.connection().trafficClass(),
        options.connection().fifoTrafficClass(),
        options.connection().serviceLevel(),
        firstPacket,
        address,
        ports,
        connection.queuePairs().stream().map(QueuePair::number).toList(),
        enhancements);
  }

  /** Returns where the peer's writes go. */
  PeerMemory memory() {
    return new PeerMemory(address, ports.stream().map(PortInfo::key).toList());
  }

  ByteBuffer encode() {
    byte[] name = device.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(name.length, MOST_NAME);
    ByteBuffer out = ByteBuffer.allocate(MOST_BYTES);
    out.putShort((short) IbSlots.COUNT).putShort((short) IbSlots.PIECES);
    out.putShort((short) ClearToSend.ENTRY);
    out.put((byte) ports.size()).put((byte) queuePairs.size());
    out.put((byte) (split ? 1 : 0)).put((byte) trafficClass);
    out.put((byte) fifoTrafficClass).put((byte) serviceLevel).putInt(firstPacket).putLong(address);
    ports.forEach(port -> port.put(out));
    for (int i = 0; i < queuePairs.size(); i++) {
      Ece ece = enhancements.get(i);
      out.putInt(queuePairs.get(i));
      out.putInt(ece.vendorId()).putInt(ece.options()).putInt(ece.mask());
    }
    return out.put((byte) length).put(name, 0, length).flip();
  }

  /**
   * Reads what the peer sent, as far as it can be wrong by itself: {@link PeerCheck} has the rest.
   *
   * @throws FrameException for anything but what {@link #encode} makes
   */
  static EndInfo decode(ByteBuffer in) throws FrameException {
    try {
      expect("slots", in.getShort(), IbSlots.COUNT);
      expect("pieces", in.getShort(), IbSlots.PIECES);
      expect("bytes of an entry", in.getShort(), ClearToSend.ENTRY);
      int portCount = within("ports", in.get(), 1, ClearToSend.KEYS);
      int pairCount = within("queue pairs", in.get(), 1, MOST_QUEUE_PAIRS);
      boolean split = within("the split flag", in.get(), 0, 1) == 1;
      int trafficClass = Byte.toUnsignedInt(in.get());
      int fifoTrafficClass = Byte.toUnsignedInt(in.get());
      int serviceLevel = within("the service level", in.get(), 0, 15);
      int firstPacket = in.getInt();
      if (firstPacket < 0 || firstPacket > MOST_PACKET) {
        throw new FrameException(firstPacket + " for the first packet, which has 24 bits");
      }
      long address = in.getLong();
      List<PortInfo> ports = new ArrayList<>();
      for (int i = 0; i < portCount; i++) {
        ports.add(PortInfo.get(in));
      }
      List<Integer> pairs = new ArrayList<>();
      List<Ece> enhancements = new ArrayList<>();
      for (int i = 0; i < pairCount; i++) {
        pairs.add(in.getInt());
        enhancements.add(new Ece(in.getInt(), in.getInt(), in.getInt()));
      }
      byte[] name = new byte[Byte.toUnsignedInt(in.get())];
      in.get(name);
      if (in.hasRemaining()) {
        throw new FrameException(in.remaining() + " bytes more than expected");
      }
      return new EndInfo(
          printable(name),
          split,
          trafficClass,
          fifoTrafficClass,
          serviceLevel,
          firstPacket,
          address,
          List.copyOf(ports),
          List.copyOf(pairs),
          List.copyOf(enhancements));
    } catch (BufferUnderflowException e) {
      throw new FrameException("only " + in.limit() + " bytes", e);
    }
  }

  private static void expect(String what, int said, int known) throws FrameException {
    if (said != known) {
      throw new FrameException(
          said + " " + what + " where this side has " + known + ": do all ranks run one version?");
    }
  }

  private static int within(String what, byte said, int least, int most) throws FrameException {
    int number = Byte.toUnsignedInt(said);
    if (number < least || number > most) {
      throw new FrameException(number + " for " + what + ", expected " + least + " to " + most);
    }
    return number;
  }

  /** What the peer calls its device goes to logs and messages. */
  private static String printable(byte[] name) {
    byte[] shown = Arrays.copyOf(name, name.length);
    for (int i = 0; i < shown.length; i++) {
      if (shown[i] <= ' ' || shown[i] > '~') {
        shown[i] = '?';
      }
    }
    return new String(shown, StandardCharsets.US_ASCII);
  }
}
