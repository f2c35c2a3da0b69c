// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.SocketInterface;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Lets the ranks of one communicator meet: it holds the address of the root and a secret of 128
 * bits; mirrors {@code ncclUniqueId}. One rank makes it, and the application carries it to the
 * others in a way that keeps it secret. It serves one communicator.
 *
 * <p>A value, equal to the id that is read from its bytes or text; safe for any thread. An id of
 * {@link #create} can be withdrawn with {@link #close}; an id that is used need not be.
 */
@AnyThread
public final class UniqueId implements AutoCloseable {
  /** Length of {@link #toBytes}, as in NCCL. */
  public static final int BYTES = 128;

  private static final int MAGIC = 0x4e54_4e4c; // NTNL
  private static final byte VERSION = 1;
  private static final int SECRET_BYTES = 16;
  private static final int CRC_OFFSET = BYTES - 4;
  private static final int MAX_ROOTS = (CRC_OFFSET - 6 - SECRET_BYTES) / Address.MAX_BYTES;
  private static final String PREFIX = "nitinol1-";

  /** Takes the address's part in a secret of {@link #listen}, which has several names. */
  private static final String TOLD = "told";

  private final List<InetSocketAddress> roots;
  private final JobSecret secret;
  private final boolean rootAtRank0;
  private final @Nullable Root started;

  /** What ends the errors of a rank that does not reach the root; may be empty. */
  private final String note;

  private UniqueId(
      List<InetSocketAddress> roots,
      JobSecret secret,
      boolean rootAtRank0,
      @Nullable Root started,
      String note) {
    this.roots = List.copyOf(roots);
    this.secret = secret;
    this.rootAtRank0 = rootAtRank0;
    this.started = started;
    this.note = note;
  }

  /** Makes the same id as {@code NCCL_COMM_ID}, with addresses that need no lookup. */
  static UniqueId atRank0(List<InetSocketAddress> roots, byte[] secret) {
    return new UniqueId(roots, new JobSecret(secret, true), true, null, "");
  }

  /**
   * Makes an id; mirrors {@code ncclGetUniqueId}. The root starts in this process, on a daemon
   * thread. The thread ends when all ranks have met or given up, by {@link #close}, or when no rank
   * comes for ten times {@code NITINOL_BOOTSTRAP_TIMEOUT}: ranks may start much later than the id
   * is made. From the first rank to the last only that time itself may pass.
   *
   * <p>If {@code NCCL_COMM_ID} is set, the id has that address, and rank 0 starts the root instead
   * of this process. Every process with the same {@code NCCL_COMM_ID} and {@code
   * NITINOL_COMM_SECRET} then makes the same id, so nobody has to carry it. The communicator is
   * only as secret as these two texts. If the host has several addresses, rank 0 listens at the
   * first that is its own, and the others try all.
   *
   * @throws BootstrapException when no interface fits, or nothing can listen there
   */
  public static UniqueId create(Settings settings, DebugLogger log) {
    String text = settings.get(CoreVariables.COMM_ID).strip();
    if (!text.isEmpty()) {
      List<InetSocketAddress> roots = Address.parse(text, CoreVariables.COMM_ID.name());
      return atRank0(
          roots.subList(0, Math.min(roots.size(), MAX_ROOTS)), derivedSecret(settings, text));
    }
    return startRoot(ownInterface(settings), settings, log);
  }

  /**
   * Makes an id with the secret that follows from {@code NCCL_COMM_ID} and {@code
   * NITINOL_COMM_SECRET}, and without an address: a process that only looks need not be able to
   * look the root's host up.
   *
   * @throws BootstrapException INVALID_ARGUMENT when {@code NCCL_COMM_ID} has not the form of a
   *     place
   */
  public static UniqueId toLook(Settings settings) {
    String text = settings.get(CoreVariables.COMM_ID).strip();
    Address.requirePlace(text, CoreVariables.COMM_ID.name());
    return atRank0(List.of(), derivedSecret(settings, text));
  }

  /**
   * Makes an id of ranks that nobody starts together: a user tells the others where to come to.
   * They make theirs by {@link #told}. The root starts in this process, as by {@link #create}, at
   * the interface that {@code NCCL_SOCKET_IFNAME} names or that comes first.
   *
   * @param port where to listen; 0 for any port that is free
   * @param secret any text that all ranks know and no stranger does
   * @throws BootstrapException INVALID_ARGUMENT when the secret is blank; when no interface fits,
   *     or nothing can listen there
   */
  public static UniqueId listen(int port, String secret, Settings settings, DebugLogger log) {
    JobSecret derived = told(secret);
    Root root =
        Root.start(
            List.of(new InetSocketAddress(ownInterface(settings), port)), derived, settings, log);
    return new UniqueId(List.of(root.address()), derived, false, root, "");
  }

  /**
   * Makes the id of a rank that was told where the root of {@link #listen} is.
   *
   * @param place {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port}
   * @param from what the place comes from, such as an option's name, for the error message
   * @param secret the same text as there
   * @throws BootstrapException INVALID_ARGUMENT when the place is none, its host is not known, or
   *     the secret is blank
   */
  public static UniqueId told(String place, String from, String secret) {
    List<InetSocketAddress> roots = Address.parse(place, from);
    return new UniqueId(
        roots.subList(0, Math.min(roots.size(), MAX_ROOTS)),
        told(secret),
        true, // which it is, and so this rank tries until it is there
        null,
        "");
  }

  private static JobSecret told(String secret) {
    if (secret.isBlank()) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          "the secret is blank, and so known to everybody; expected a text that no stranger knows");
    }
    return JobSecret.ofText(secretOf(secret, TOLD));
  }

  private static InetAddress ownInterface(Settings settings) {
    List<SocketInterface> found = InterfaceSearch.find(settings, null, 1);
    if (found.isEmpty()) {
      throw new BootstrapException(
          ResultCode.INVALID_USAGE, "bootstrap: " + InterfaceSearch.explain(settings));
    }
    return found.getFirst().address();
  }

  /** Makes an id whose root starts here, at {@code address}. */
  static UniqueId startRoot(InetAddress address, Settings settings, DebugLogger log) {
    JobSecret secret = new JobSecret(Arrays.copyOf(PeerProof.nonce(), SECRET_BYTES), false);
    Root root = Root.start(List.of(new InetSocketAddress(address, 0)), secret, settings, log);
    return new UniqueId(List.of(root.address()), secret, false, root, "");
  }

  /**
   * Ends the root if {@link #create} started one for this object and not all ranks have come yet.
   * The ranks that came are told that the id was withdrawn. Does nothing for ranks that have met,
   * or for an id that was read. Does not wait. May be called again.
   */
  @Override
  public void close() {
    if (started != null) {
      started.withdraw();
    }
  }

  /**
   * As {@link #close}, with a reason: the ranks that came, and those that come within {@code
   * NITINOL_BOOTSTRAP_TIMEOUT}, get {@code reason} as their error at once.
   *
   * @param reason one sentence, such as which rank has died
   */
  public void withdraw(String reason) {
    if (started != null) {
      started.withdraw(reason);
    }
  }

  /**
   * Tells the root that a process has ended, by itself and with success. If the ranks of this id
   * need that process and it had not come, they are told so at once, as by {@link
   * #withdraw(String)}.
   *
   * @param rank the process's rank
   * @param processes how many processes were started: a communicator of fewer ranks may do without
   *     this one
   * @param how one sentence, such as which rank has ended
   */
  public void ended(int rank, int processes, String how) {
    if (started != null) {
      started.ended(rank, processes, how);
    }
  }

  private static byte[] derivedSecret(Settings settings, String commId) {
    return secretOf(settings.get(CoreVariables.COMM_SECRET), commId);
  }

  private static byte[] secretOf(String text, String place) {
    byte[] derived =
        PeerProof.hmac(
            ("nitinol comm secret " + text).getBytes(StandardCharsets.UTF_8),
            place.getBytes(StandardCharsets.UTF_8));
    return Arrays.copyOf(derived, SECRET_BYTES);
  }

  /**
   * Reads an id.
   *
   * @param bytes the result of {@link #toBytes}
   * @throws BootstrapException when the bytes are not an id
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
    in.limit(CRC_OFFSET); // no address reaches into the checksum
    boolean rootAtRank0 = in.get() != 0;
    byte[] secret = new byte[SECRET_BYTES];
    in.get(secret);
    List<InetSocketAddress> roots = new ArrayList<>();
    do {
      roots.add(Address.decode(in, InetAddress.getLoopbackAddress()));
    } while (in.hasRemaining() && in.get(in.position()) != 0);
    return new UniqueId(roots, new JobSecret(secret, rootAtRank0), rootAtRank0, null, "");
  }

  /**
   * Returns the same id with a note for the errors of a rank that does not reach the root.
   *
   * @param note such as where the id was found, without the secret
   */
  public UniqueId withNote(String note) {
    return new UniqueId(roots, secret, rootAtRank0, started, note);
  }

  /** Returns the id as {@link #BYTES} bytes. */
  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putInt(MAGIC).put(VERSION).put((byte) (rootAtRank0 ? 1 : 0)).put(secret());
    roots.forEach(each -> out.put(Address.encode(each)));
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
   * @param text the result of {@link #toString}
   * @throws BootstrapException when the text is not an id
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
    int used =
        6 + SECRET_BYTES + roots.stream().mapToInt(each -> Address.encode(each).length).sum();
    HexFormat hex = HexFormat.of();
    return PREFIX + hex.formatHex(bytes, 0, used) + hex.formatHex(bytes, CRC_OFFSET, BYTES);
  }

  /** Returns the root's address, or all its possible ones, without the secret, for messages. */
  public String describe() {
    return roots.stream().map(Address::text).collect(Collectors.joining(" or "));
  }

  private static BootstrapException invalid(String why) {
    return new BootstrapException(ResultCode.INVALID_ARGUMENT, "not a unique id: " + why);
  }

  /** Returns the root's address, or the addresses of which it takes one. */
  List<InetSocketAddress> roots() {
    return roots;
  }

  /** Returns the note of {@link #withNote}, or an empty text. */
  String note() {
    return note;
  }

  /** Returns the secret itself, not a copy. */
  byte[] secret() {
    return secret.bytes();
  }

  /** Returns the secret with what is known of its source. */
  JobSecret jobSecret() {
    return secret;
  }

  /**
   * Returns the key for {@link MemberLook} in the communicator that is made with this id; it opens
   * nothing else. Those that are made out of that communicator have other keys.
   *
   * @return a new array
   */
  public byte[] lookKey() {
    return secret.forLooks().bytes();
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
