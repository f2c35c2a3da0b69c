// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the one certificate of this side wherever JSSE asks for a key of its kind. The JDK's own
 * managers take keys only from a key store, which encrypts them on the way in and decrypts them on
 * the way out.
 */
final class OneKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "own";

  private final PrivateKey key;
  private final X509Certificate[] chain;

  OneKey(PrivateKey key, X509Certificate[] chain) {
    this.key = key;
    this.chain = chain.clone();
  }

  private @Nullable String alias(String type) {
    return type.equals(chain[0].getPublicKey().getAlgorithm()) ? ALIAS : null;
  }

  private @Nullable String alias(String[] types) {
    for (String type : types) {
      if (alias(type) != null) {
        return ALIAS;
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(types);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(type);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(types);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(type);
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return aliases(type);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return aliases(type);
  }

  private String @Nullable [] aliases(String type) {
    return alias(type) == null ? null : new String[] {ALIAS};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return alias.equals(ALIAS) ? chain.clone() : null;
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return alias.equals(ALIAS) ? key : null;
  }
}
