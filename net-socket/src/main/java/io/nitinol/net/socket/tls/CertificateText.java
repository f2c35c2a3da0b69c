// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** Describes certificates in error messages. */
final class CertificateText {
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
  private static final String ANY = "2.5.29.37.0";

  /** The longest name: a stranger may choose it, and a line of a log has to stay one. */
  private static final int LONGEST_NAME = 200;

  private CertificateText() {}

  /** Returns the subject and the issuer of a certificate. */
  static String names(X509Certificate certificate) {
    return ErrorText.of(
        "subject %s, issuer %s",
        name(certificate.getSubjectX500Principal()), name(certificate.getIssuerX500Principal()));
  }

  private static String name(X500Principal principal) {
    String name = principal.getName().replaceAll("[^\\x20-\\x7e]", "?");
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
  }

  /**
   * Returns the reason why a certificate cannot be used by servers and clients both, or null. A
   * certificate without the extension may be used for anything (RFC 5280 §4.2.1.12).
   */
  static @Nullable String usageObjection(X509Certificate certificate) {
    List<String> usages;
    try {
      usages = certificate.getExtendedKeyUsage();
    } catch (CertificateParsingException e) {
      return "its extended key usage is broken: " + e.getMessage();
    }
    if (usages == null
        || usages.contains(ANY)
        || (usages.contains(SERVER) && usages.contains(CLIENT))) {
      return null;
    }
    return ErrorText.of(
        "its extended key usage is %s: expected both serverAuth and clientAuth, or no such"
            + " extension, since each rank is server and client",
        usages.stream().map(CertificateText::usage).collect(Collectors.joining(", ")));
  }

  private static String usage(String id) {
    return switch (id) {
      case SERVER -> "serverAuth";
      case CLIENT -> "clientAuth";
      default -> id;
    };
  }
}
