// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.support.InterfaceSearch;
import io.nitinol.spi.support.PeerProof;
import io.nitinol.spi.support.SocketInterface;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What the ranks of one communicator must know to meet: the address of its root and a secret of 128
 * bits; mirrors {@code ncclUniqueId}. One rank makes it and the application carries it to the
 * others, over a way that keeps it secret. It is good for one communicator.
 *
 * <p>Immutable and safe for any thread.
 */
public final class UniqueId {
  /** Length of {@link #toBytes}, as in NCCL. */
  public static final int BYTES = 128;

  private static final int MAGIC = 0x4e54_4e4c; // NTNL
  private static final byte VERSION = 1;
  private static final int SECRET_BYTES = 16;
  private static final int CRC_OFFSET = BYTES - 4;
  private static final String PREFIX = "nitinol1-";

  private final InetSocketAddress root;
  private final byte[] secret;
  private final boolean rootAtRank0;

  private UniqueId(InetSocketAddress root, byte[] secret, boolean rootAtRank0) {
    this.root = root;
    this.secret = secret;
    this.rootAtRank0 = rootAtRank0;
  }

  /**
   * Makes an id; mirrors {@code ncclGetUniqueId}. The root starts in this process, on a daemon
   * thread that ends when all ranks have met or given up, or when nobody comes for an hour.
   *
   * <p>Where {@code NCCL_COMM_ID} is set the id says that address and no root starts here: rank 0
   * starts it. Every process that has the same {@code NCCL_COMM_ID} and {@code NITINOL_COMM_SECRET}
   * makes the same id, which needs no carrying then; so the communicator is only as secret as these
   * two texts together are.
   *
   * @throws BootstrapException when no interface fits, or nothing can listen there
   */
  public static UniqueId create(Settings settings, DebugLogger log) {
    String text = settings.get(CoreVariables.COMM_ID).strip();
    if (!text.isEmpty()) {
      InetSocketAddress root = Address.parse(text, CoreVariables.COMM_ID.name());
      return new UniqueId(root, derivedSecret(settings, text), true);
    }
    List<SocketInterface> found = InterfaceSearch.find(settings, null, 1);
    if (found.isEmpty()) {
      throw new BootstrapException(
          ResultCode.INVALID_USAGE, "bootstrap: " + InterfaceSearch.explain(settings));
    }
    byte[] secret = Arrays.copyOf(PeerProof.nonce(), SECRET_BYTES);
    InetAddress address = found.getFirst().address();
    InetSocketAddress root = Root.start(new InetSocketAddress(address, 0), secret, settings, log);
    return new UniqueId(root, secret, false);
  }

  private static byte[] derivedSecret(Settings settings, String commId) {
    String key = settings.get(CoreVariables.COMM_SECRET);
    byte[] derived =
        PeerProof.hmac(
            ("nitinol comm secret " + key).getBytes(StandardCharsets.UTF_8),
            commId.getBytes(StandardCharsets.UTF_8));
    return Arrays.copyOf(derived, SECRET_BYTES);
  }

  /**
   * Reads an id.
   *
   * @param bytes what {@link #toBytes} returned
   * @throws BootstrapException when they are not an id
   */
  public static UniqueId fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw invalid(bytes.length + " bytes, expected " + BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getInt() != MAGIC) {
      throw invalid("it does not begin like an id of Nitinol; an id of NCCL itself cannot be used");
    }
    byte version = in.get();
    if (version != VERSION) {
      throw invalid("its version is " + version + ", expected " + VERSION);
    }
    if (in.getInt(CRC_OFFSET) != checksum(bytes)) {
      throw invalid("its checksum is wrong, it was changed on the way");
    }
    boolean rootAtRank0 = in.get() != 0;
    byte[] secret = new byte[SECRET_BYTES];
    in.get(secret);
    InetSocketAddress root = Address.decode(in, InetAddress.getLoopbackAddress());
    return new UniqueId(root, secret, rootAtRank0);
  }

  /** Returns the id as {@link #BYTES} bytes. */
  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putInt(MAGIC).put(VERSION).put((byte) (rootAtRank0 ? 1 : 0));
    out.put(secret).put(Address.encode(root));
    out.putInt(CRC_OFFSET, checksum(out.array()));
    return out.array();
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, CRC_OFFSET);
    return (int) crc.getValue();
  }

  /**
   * Reads an id.
   *
   * @param text what {@link #toString} returned
   * @throws BootstrapException when it is not an id
   */
  public static UniqueId parse(String text) {
    String stripped = text.strip();
    if (!stripped.startsWith(PREFIX)) {
      throw invalid("the text does not begin with " + PREFIX);
    }
    byte[] bytes = new byte[BYTES];
    byte[] crc;
    try {
      byte[] given = HexFormat.of().parseHex(stripped.substring(PREFIX.length()));
      if (given.length < 4 || given.length > BYTES) {
        throw invalid("the text has " + given.length + " bytes, it is cut or not an id");
      }
      System.arraycopy(given, 0, bytes, 0, given.length - 4);
      crc = Arrays.copyOfRange(given, given.length - 4, given.length);
    } catch (IllegalArgumentException e) {
      throw invalid("the text after " + PREFIX + " is not hexadecimal");
    }
    System.arraycopy(crc, 0, bytes, CRC_OFFSET, 4);
    return fromBytes(bytes);
  }

  /**
   * Returns the id as text, to carry it in an environment variable. The text holds the secret: do
   * not log it, log {@link #describe}.
   */
  @Override
  public String toString() {
    byte[] bytes = toBytes();
    int used = 6 + SECRET_BYTES + Address.encode(root).length;
    HexFormat hex = HexFormat.of();
    return PREFIX + hex.formatHex(bytes, 0, used) + hex.formatHex(bytes, CRC_OFFSET, BYTES);
  }

  /** Returns the root's address, without the secret, for messages. */
  public String describe() {
    return Address.text(root);
  }

  private static BootstrapException invalid(String why) {
    return new BootstrapException(ResultCode.INVALID_ARGUMENT, "not a unique id: " + why);
  }

  /** Returns where the root listens. */
  InetSocketAddress root() {
    return root;
  }

  /** Returns the secret itself, not a copy. */
  byte[] secret() {
    return secret;
  }

  /** Returns whether rank 0 must start the root; otherwise it ran before this id was known. */
  boolean rootAtRank0() {
    return rootAtRank0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UniqueId that && Arrays.equals(toBytes(), that.toBytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toBytes());
  }
}
