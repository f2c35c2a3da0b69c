// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.collnet.CollNetTerms;
import io.nitinol.core.tuning.MessageShapes;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One rank's terms for a communicator: its identity, and the values on which all ranks must agree
 * because each computes the others' messages from them. Every rank sends its own to all others.
 *
 * @param peer the rank's identity
 * @param protocol the version of the messages' format
 * @param network the network's name
 * @param channels how many channels it wants
 * @param slotBytes the most data bytes of a message
 * @param memory which transports by common memory it uses, human-readable
 * @param permitted which algorithms and protocols it may use, as its variables say
 * @param tuner the name of its tuner, or "none"
 * @param facts its machine
 * @param collNet its collective network
 * @param number drawn at random; rank 0's is the communicator's, to tell it from others
 */
record CommTerms(
    PeerInfo peer,
    int protocol,
    String network,
    int channels,
    int slotBytes,
    String memory,
    String permitted,
    String tuner,
    HostFacts facts,
    CollNetTerms collNet,
    long number) {
  static final int PROTOCOL = 13;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Returns this rank's terms, as {@code config} and its settings say. */
  static CommTerms of(
      PeerInfo peer,
      String network,
      String tuner,
      SetupConfig config,
      HostFacts facts,
      CollNetTerms collNet) {
    Settings settings = config.settings();
    int channels = MessageShapes.channels(config.leastChannels(), config.mostChannels());
    int slotBytes = MessageShapes.slotBytes(settings);
    String memory =
        (settings.get(CoreVariables.P2P_DISABLE) ? "no P2P" : "P2P")
            + (settings.get(CoreVariables.SHM_DISABLE) ? ", no SHM" : ", SHM");
    String permitted =
        "NCCL_ALGO="
            + settings.get(CoreVariables.ALGO)
            + " NCCL_PROTO="
            + settings.get(CoreVariables.PROTO);
    long number = RANDOM.nextLong() | 1; // never 0
    return new CommTerms(
        peer, PROTOCOL, network, channels, slotBytes, memory, permitted, tuner, facts, collNet,
        number);
  }

  /**
   * Returns how collectives are cut into messages.
   *
   * @param most the most bytes of one, whatever the terms say
   */
  ChunkShape shape(int most) {
    return MessageShapes.chunks(Math.min(slotBytes, most));
  }

  /**
   * Returns the most data bytes that a message may have so that every rank's network takes it with
   * its header; a multiple of {@link ChunkShape#ALIGNMENT}.
   *
   * @throws CommException INVALID_USAGE where a network takes next to nothing
   */
  static int mostBytes(CommTerms[] all) {
    long most = Integer.MAX_VALUE;
    for (CommTerms terms : all) {
      long data = terms.facts.longestMessage() - MessageHeader.BYTES;
      if (data < ChunkShape.ALIGNMENT) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "network %s of rank %d takes messages of at most %d bytes (maxP2pBytes), expected"
                    + " %d or more; choose another network with NCCL_NET",
                terms.network,
                terms.peer.rank(),
                terms.facts.longestMessage(),
                MessageHeader.BYTES + ChunkShape.ALIGNMENT));
      }
      most = Math.min(most, data);
    }
    return (int) (most / ChunkShape.ALIGNMENT * ChunkShape.ALIGNMENT);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(protocol);
      out.writeInt(peer.rank());
      out.writeLong(peer.host());
      out.writeLong(peer.pid());
      out.writeUTF(network);
      out.writeInt(channels);
      out.writeInt(slotBytes);
      out.writeUTF(memory);
      out.writeUTF(permitted);
      out.writeUTF(tuner);
      facts.write(out);
      collNet.write(out);
      out.writeLong(number);
    } catch (IOException e) {
      throw new AssertionError("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads another rank's terms.
   *
   * @throws CommException when {@code bytes} are not of this protocol
   */
  static CommTerms fromBytes(int rank, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int protocol = in.readInt();
      if (protocol != PROTOCOL) {
        throw disagreement(
            ErrorText.of("protocol version %d on rank %d, %d here", protocol, rank, PROTOCOL),
            "all ranks need the same release of Nitinol");
      }
      PeerInfo peer = new PeerInfo(in.readInt(), in.readLong(), in.readLong());
      if (peer.rank() != rank) {
        throw new CommException(
            ResultCode.INTERNAL_ERROR,
            rank,
            ErrorText.of("rank %d sends the terms of rank %d", rank, peer.rank()),
            null);
      }
      return new CommTerms(
          peer,
          protocol,
          in.readUTF(),
          in.readInt(),
          in.readInt(),
          in.readUTF(),
          in.readUTF(),
          in.readUTF(),
          HostFacts.read(in),
          CollNetTerms.read(in),
          in.readLong());
    } catch (IOException e) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR,
          rank,
          ErrorText.of("the terms of rank %d are damaged: %d bytes", rank, bytes.length),
          e);
    }
  }

  /**
   * Checks that all ranks have the same terms.
   *
   * @throws CommException INVALID_USAGE, naming the ranks and their values
   */
  static void requireAgreement(CommTerms[] all) {
    require(all, "network", CommTerms::network, "NCCL_NET and NCCL_NET_PLUGIN choose it");
    require(
        all,
        "number of channels",
        CommTerms::channels,
        "NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS set it");
    require(
        all,
        "use of common memory",
        CommTerms::memory,
        "NCCL_P2P_DISABLE and NCCL_SHM_DISABLE set it");
    require(
        all,
        "algorithms that may be used",
        CommTerms::permitted,
        "NCCL_ALGO and NCCL_PROTO say which");
    require(all, "tuner", CommTerms::tuner, "NCCL_TUNER_PLUGIN and NITINOL_PLUGIN_PATH choose it");
    require(all, "size of a slot in bytes", CommTerms::slotBytes, "NCCL_BUFFSIZE sets it");
  }

  private static void require(
      CommTerms[] all, String what, Function<CommTerms, Object> value, String hint) {
    Map<String, String> ranksByKey = new TreeMap<>();
    Map<String, String> shown = new LinkedHashMap<>();
    for (CommTerms terms : all) {
      String text = String.valueOf(value.apply(terms));
      String key = text.toLowerCase(Locale.ROOT);
      shown.putIfAbsent(key, text);
      ranksByKey.merge(key, Integer.toString(terms.peer().rank()), (a, b) -> a + "," + b);
    }
    if (shown.size() > 1) {
      StringBuilder list = new StringBuilder();
      shown.forEach((key, text) ->
          list.append(list.isEmpty() ? "" : "; ")
              .append(text)
              .append(" on rank ")
              .append(ranksByKey.get(key)));
      throw disagreement(what + ": " + list, hint + ", the same way on all ranks");
    }
  }

  private static CommException disagreement(String what, String hint) {
    return new CommException(
        ResultCode.INVALID_USAGE, ErrorText.of("ranks do not agree on the %s (%s)", what, hint));
  }
}
