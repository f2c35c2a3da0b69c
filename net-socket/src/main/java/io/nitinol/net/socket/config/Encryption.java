// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import io.nitinol.net.socket.tls.PemFile;
import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.connect.Features;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of the encrypted mode: from the key of a listener's handle, or from PEM files. */
public final class Encryption {
  /** The flag of a side that wants everything after its proof encrypted. */
  private static final int ENCRYPTED = 1;

  private final @Nullable TlsContext ofFiles;

  private Encryption(@Nullable TlsContext ofFiles) {
    this.ofFiles = ofFiles;
  }

  /**
   * Reads the variables and the files that they name.
   *
   * @return null where connections are plain
   * @throws NetException INVALID_USAGE where a file is missing or does not hold what it should, and
   *     where the switch is neither on nor off
   */
  public static @Nullable Encryption read(Settings settings) {
    String mistake = settings.mistake(SocketVariables.TLS);
    if (mistake != null) { // with the default, data would go in the clear
      throw new NetException(ResultCode.INVALID_USAGE, mistake);
    }
    if (!settings.get(SocketVariables.TLS)) {
      checkNoFiles(settings);
      return null;
    }
    String certificate = settings.get(SocketVariables.TLS_CERT);
    String key = settings.get(SocketVariables.TLS_KEY);
    String ca = settings.get(SocketVariables.TLS_CA);
    if (certificate.isEmpty() && key.isEmpty() && ca.isEmpty()) {
      return new Encryption(null);
    }
    return new Encryption(
        TlsContext.ofPem(
            file(certificate, SocketVariables.TLS_CERT),
            file(key, SocketVariables.TLS_KEY),
            file(ca, SocketVariables.TLS_CA)));
  }

  /** Fails where files are named without the switch: their user wants no plain connections. */
  private static void checkNoFiles(Settings settings) {
    String set =
        Stream.of(SocketVariables.TLS_CERT, SocketVariables.TLS_KEY, SocketVariables.TLS_CA)
            .filter(settings::isSet)
            .map(each -> each + " (from " + settings.source(each) + ")")
            .collect(Collectors.joining(", "));
    if (!set.isEmpty()) {
      String found =
          settings.isSet(SocketVariables.TLS)
              ? ErrorText.of(
                  "%s=%s (from %s)",
                  SocketVariables.TLS,
                  settings.raw(SocketVariables.TLS.name()),
                  settings.source(SocketVariables.TLS))
              : SocketVariables.TLS + " is not set";
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "set for encrypted connections: %s; but %s, so that connections would be plain:"
                  + " expected %s=1, or none of the files",
              set, found, SocketVariables.TLS));
    }
  }

  private static PemFile file(String name, Variable<String> variable) {
    if (name.isEmpty()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s is not set: expected all three of %s, %s and %s, or none for a key that follows"
                  + " from the job's secret",
              variable, SocketVariables.TLS_CERT, SocketVariables.TLS_KEY, SocketVariables.TLS_CA));
    }
    return new PemFile(Path.of(name), variable.name());
  }

  /** Returns the features that both sides of a connection must agree on. */
  static Features features(@Nullable Encryption encryption) {
    return new Features(
        encryption == null ? 0 : ENCRYPTED, SocketVariables.TLS.name(), Encryption::words);
  }

  private static String words(int flags) {
    return switch (flags) {
      case 0 -> "plain";
      case ENCRYPTED -> "encrypted";
      default -> "with unknown features (flags 0x" + Integer.toHexString(flags) + ")";
    };
  }

  /** Describes for the log how connections are encrypted. */
  public static String label(@Nullable Encryption encryption) {
    if (encryption == null) {
      return "not encrypted";
    }
    return encryption.ofFiles == null
        ? "encrypted by TLS 1.3, keys derived from the job's secret"
        : "encrypted by TLS 1.3, certificates from files";
  }

  /**
   * Returns the identity of this side and the peers that it accepts, for connections of one
   * listener.
   *
   * @param key the key of the listener's handle
   * @throws NetException SYSTEM_ERROR where this JVM lacks the algorithms
   */
  public TlsContext context(byte[] key) {
    return ofFiles == null ? ofSecret(key) : ofFiles;
  }

  private static TlsContext ofSecret(byte[] key) {
    try {
      return TlsContext.ofSecret(key);
    } catch (IllegalStateException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          ErrorText.of(
              "this JVM cannot encrypt connections by a key that follows from the job's secret: %s;"
                  + " expected HKDF-SHA256, Ed25519 and TLS 1.3 of its security providers (%s)",
              e.getMessage(), SocketVariables.TLS),
          e);
    }
  }
}
