// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.thread.AnyThread;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

/**
 * The identity of one side and the peers that it accepts. It makes the engines of the side's
 * connections; both sides of a connection authenticate each other.
 */
@AnyThread
public final class TlsContext {
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  // AES-128 first: it has ten rounds where AES-256 has fourteen.
  private static final String[] SUITES = {
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
  };

  /** A year: TLS 1.3 has no tickets that live longer than a week, so none is sent. */
  private static final int NO_TICKETS = 365 * 24 * 3600;

  private final SSLContext context;

  private TlsContext(SSLContext context) {
    this.context = context;
    for (SSLSessionContext sessions :
        new SSLSessionContext[] {
          context.getClientSessionContext(), context.getServerSessionContext()
        }) {
      // Each connection has a key exchange of its own, and none resumes another.
      sessions.setSessionCacheSize(1);
      sessions.setSessionTimeout(NO_TICKETS);
    }
  }

  /**
   * Makes the context of a side that knows a secret and accepts peers that know the same one.
   *
   * @param secret 16 unpredictable bytes or more
   */
  public static TlsContext ofSecret(byte[] secret) {
    DerivedIdentity identity = DerivedIdentity.of(secret);
    X509Certificate[] chain = {identity.certificate()};
    return of(
        new OneKey(identity.privateKey(), chain),
        new ExactKeyTrust(identity.certificate().getPublicKey()));
  }

  /**
   * Makes the context of a side with a certificate. It accepts peers whose certificates lead to one
   * of those in {@code ca}, whatever name is in them.
   *
   * @param certificate the certificate of this side, and after it those between it and the peers'
   *     CA
   * @param key its private key, in PKCS#8 and not encrypted
   * @param ca the certificates that the peers' lead to
   * @throws TlsFileException where a file does not hold what it should
   */
  public static TlsContext ofPem(PemFile certificate, PemFile key, PemFile ca) {
    X509Certificate[] chain = PemFiles.certificates(certificate);
    // Some peers would refuse it, and could tell this side no reason.
    String objection = CertificateText.usageObjection(chain[0]);
    if (objection != null) {
      throw new TlsFileException(
          certificate,
          ErrorText.of("its certificate (%s): %s", CertificateText.names(chain[0]), objection));
    }
    PrivateKey privateKey = PemFiles.key(key, chain[0], certificate);
    return of(new OneKey(privateKey, chain), AuthorityTrust.of(ca));
  }

  private static TlsContext of(KeyManager key, TrustManager... trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(new KeyManager[] {key}, trust, null);
      return new TlsContext(context);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM cannot do TLS 1.3: " + e.getMessage(), e);
    }
  }

  /** Makes the engine of one side. */
  SSLEngine engine(Role side) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(side == Role.CONNECTOR);
    engine.setNeedClientAuth(side == Role.ACCEPTOR);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(SUITES);
    engine.setSSLParameters(parameters);
    return engine;
  }
}
