// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What {@code listen} tells the peers, as plain bytes: which process listens, where, and the secret
 * that only peers with the handle know (NET-CONN-04). The last bytes are not the listener's: there
 * each attempt to connect keeps its number (NET-CONN-06).
 *
 * <pre>
 *   0  magic             8
 *   8  checksum          4   of all that follows, but for the attempt
 *  12  process           4 + 8 start time + 8 namespace
 *  32  listener          8   a random number
 *  40  secret           16
 *  56  directory        56   UTF-8, filled up with slashes
 * 112  attempt           8   0: none yet
 * 120  not used          8
 * </pre>
 *
 * @param process the process that listens
 * @param listener the listener's number
 * @param secret {@link #SECRET_SIZE} bytes; a peer that knows them was given the handle
 * @param base where the listener's directory is
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MemoryListenHandle(ProcessId process, long listener, byte[] secret, Path base) {
  static final int SECRET_SIZE = 16;
  static final int DIRECTORY_SIZE = 56;

  private static final long MAGIC = 0x4e69744d656d3031L; // NitMem01
  private static final int CHECKSUM = 8;
  private static final int PID = 12;
  private static final int START = 16;
  private static final int SPACE = 24;
  private static final int LISTENER = 32;
  private static final int SECRET = 40;
  private static final int DIRECTORY = 56;
  private static final int ATTEMPT = 112;

  // Of one byte order, as bytes have that travel. Unaligned, though buffers are aligned
  // (NET-CONN-02): a caller's slip there need not become a failure of ours.
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A handle for a new listener of this process. */
  static MemoryListenHandle create(Host host) {
    byte[] secret = new byte[SECRET_SIZE];
    RANDOM.nextBytes(secret);
    return new MemoryListenHandle(host.self, randomNumber(), secret, host.directory);
  }

  /** A number that is drawn only once: neither another instance nor another process. */
  static long randomNumber() {
    long number = RANDOM.nextLong();
    return number == 0 ? 1 : number;
  }

  /** Checks the caller's buffer (NET-CONN-03). */
  static void checkBuffer(@Nullable MemorySegment buffer, boolean toBeWritten) {
    if (buffer == null
        || (toBeWritten && buffer.isReadOnly())
        || buffer.byteSize() < Net.HANDLE_MAXSIZE) {
      throw MemoryFailures.argument(
          "the handle buffer %s, expected %s bytes, writable but in CollNet.connect"
              .formatted(buffer, Net.HANDLE_MAXSIZE));
    }
  }

  void writeTo(MemorySegment buffer) {
    byte[] directory = new byte[DIRECTORY_SIZE];
    Arrays.fill(directory, (byte) '/'); // harmless at the end of a path, so no length is needed
    byte[] name = base.toString().getBytes(StandardCharsets.UTF_8);
    System.arraycopy(name, 0, directory, 0, name.length);
    buffer.set(LONG, 0, MAGIC);
    buffer.set(INT, PID, process.pid());
    buffer.set(LONG, START, process.start());
    buffer.set(LONG, SPACE, process.space());
    buffer.set(LONG, LISTENER, listener);
    MemorySegment.copy(secret, 0, buffer, ValueLayout.JAVA_BYTE, SECRET, SECRET_SIZE);
    MemorySegment.copy(directory, 0, buffer, ValueLayout.JAVA_BYTE, DIRECTORY, DIRECTORY_SIZE);
    buffer.set(INT, CHECKSUM, checksum(buffer));
    setAttempt(buffer, 0);
  }

  /** Reads a handle; one that no listener wrote is INVALID_ARGUMENT (NET-CONN-15). */
  static MemoryListenHandle readFrom(MemorySegment buffer) {
    if (buffer.get(LONG, 0) != MAGIC || buffer.get(INT, CHECKSUM) != checksum(buffer)) {
      throw MemoryFailures.argument("a handle that none of its listeners wrote");
    }
    byte[] directory = bytes(buffer, DIRECTORY, DIRECTORY_SIZE);
    try {
      return new MemoryListenHandle(
          new ProcessId(buffer.get(INT, PID), buffer.get(LONG, START), buffer.get(LONG, SPACE)),
          buffer.get(LONG, LISTENER),
          bytes(buffer, SECRET, SECRET_SIZE),
          Path.of(new String(directory, StandardCharsets.UTF_8)));
    } catch (InvalidPathException e) {
      throw MemoryFailures.argument("a handle with a path that is none: " + e.getMessage());
    }
  }

  /** The number of the attempt that uses these bytes, or 0 for the first call of one. */
  static long attempt(MemorySegment buffer) {
    return buffer.get(LONG, ATTEMPT);
  }

  static void setAttempt(MemorySegment buffer, long number) {
    buffer.set(LONG, ATTEMPT, number);
  }

  /** Where the listener and its peers meet. */
  Path directory() {
    return base.resolve(ListenDirectory.name(process, HexFormat.of().toHexDigits(listener)));
  }

  private static int checksum(MemorySegment buffer) {
    CRC32 crc = new CRC32();
    crc.update(bytes(buffer, PID, ATTEMPT - PID));
    return (int) crc.getValue();
  }

  private static byte[] bytes(MemorySegment buffer, int offset, int length) {
    return buffer.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Names the listener for messages, without the secret. */
  @Override
  public String toString() {
    return "the listener of " + process + " at " + directory();
  }
}
