// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The key by which members and switches know each other. Immutable; its bytes are never shown. */
public final class SwitchKey {
  /** How many bytes a key has that {@link #random} or a secret makes. */
  public static final int BYTES = 16;

  /** The longest secret that is read from a file, in bytes. */
  private static final int MAX_SECRET = 64 << 10;

  private static final byte[] LABEL = "nitinol switch 1".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;
  private final boolean open;

  private SwitchKey(byte[] bytes, boolean open) {
    this.bytes = bytes;
    this.open = open;
  }

  /**
   * Makes the key that follows from a secret.
   *
   * @param secretFile the file with the secret, whose last line feed does not count; empty: none
   * @param secretText the secret where there is no file; empty: none, and then everybody has the
   *     key: {@link #isOpen}
   * @return the key
   * @throws NetException with INVALID_USAGE when the file cannot be read or is empty
   */
  public static SwitchKey of(String secretFile, String secretText) {
    if (!secretFile.isEmpty()) {
      try {
        return derive(read(Path.of(secretFile)), false);
      } catch (InvalidPathException e) {
        throw unusable(secretFile, "it is no path", e);
      }
    }
    boolean none = secretText.isEmpty();
    return derive((none ? "none" : "text " + secretText).getBytes(StandardCharsets.UTF_8), none);
  }

  /**
   * Makes a new key, for a switch whose members get it in a handle.
   *
   * @return a key that nobody else has
   */
  public static SwitchKey random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new SwitchKey(bytes, false);
  }

  /**
   * Makes a key of its bytes.
   *
   * @param bytes what both sides have; {@link #BYTES} bytes in a handle, elsewhere any number but
   *     none
   * @return the key
   */
  public static SwitchKey of(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("a key of no bytes");
    }
    return new SwitchKey(bytes.clone(), false);
  }

  private static SwitchKey derive(byte[] secret, boolean open) {
    byte[] whole = PeerProof.hmac(LABEL, secret);
    return new SwitchKey(Arrays.copyOf(whole, BYTES), open);
  }

  private static byte[] read(Path file) {
    byte[] content;
    try {
      content = InputFile.readSecret(file, MAX_SECRET);
    } catch (NoSuchFileException e) {
      throw unusable(file, "there is no such file", e);
    } catch (IOException e) {
      throw unusable(file, String.valueOf(e.getMessage()), e);
    }
    int length = content.length;
    while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r')) {
      length--;
    }
    if (length == 0) {
      throw unusable(file, "it is empty", null);
    }
    byte[] labelled = new byte[length + 5];
    System.arraycopy("file ".getBytes(StandardCharsets.US_ASCII), 0, labelled, 0, 5);
    System.arraycopy(content, 0, labelled, 5, length);
    return labelled;
  }

  private static NetException unusable(Object file, String why, @Nullable Throwable cause) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "the secret of the switch (NITINOL_COLLNET_SECRET, or --secret) cannot be read from"
                + " %s: %s",
            file, why),
        cause);
  }

  /**
   * Returns whether there is no secret, so that everybody knows this key.
   *
   * @return true if every host that reaches the switch may join
   */
  public boolean isOpen() {
    return open;
  }

  /**
   * Returns the key.
   *
   * @return a copy of its bytes
   */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return open ? "no secret" : "a secret";
  }
}
