// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import java.nio.charset.StandardCharsets;

/** The secret of a communicator, and what a user can do where another end has another one. */
final class JobSecret {
  private static final byte[] LOOK = "nitinol top --job".getBytes(StandardCharsets.US_ASCII);

  /** Where both ends have a secret from. */
  private enum Source {
    /** It was made with an id, which was carried. */
    ID,
    /** From {@code NCCL_COMM_ID} and {@code NITINOL_COMM_SECRET}. */
    VARIABLES,
    /** From {@code NITINOL_COMM_SECRET} alone. */
    TEXT
  }

  private final byte[] bytes;
  private final Source source;

  /**
   * A secret.
   *
   * @param bytes not copied
   * @param fromVariables whether it follows from {@code NCCL_COMM_ID} and {@code
   *     NITINOL_COMM_SECRET}, so that a user may have set them differently
   */
  JobSecret(byte[] bytes, boolean fromVariables) {
    this(bytes, fromVariables ? Source.VARIABLES : Source.ID);
  }

  private JobSecret(byte[] bytes, Source source) {
    this.bytes = bytes;
    this.source = source;
  }

  /**
   * Returns a secret that follows from {@code NITINOL_COMM_SECRET} alone.
   *
   * @param bytes not copied
   */
  static JobSecret ofText(byte[] bytes) {
    return new JobSecret(bytes, Source.TEXT);
  }

  /** Returns whether {@code NCCL_COMM_ID} has no part in it, nor in the root's address. */
  boolean isOfText() {
    return source == Source.TEXT;
  }

  /** Returns the secret itself, not a copy. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Returns the key by which {@code nitinol top --job} proves that it may look. It follows from the
   * secret, and the secret does not follow from it: with this key alone nobody becomes a rank.
   */
  JobSecret forLooks() {
    return new JobSecret(PeerProof.hmac(bytes, LOOK), source);
  }

  /** Returns from where both ends have it, as the rest of a sentence. */
  String source() {
    return switch (source) {
      case ID -> ", which comes with the unique id";
      case VARIABLES ->
          ErrorText.of(
              ", which comes with the unique id, or from %s and %s, the same texts on all ranks",
              CoreVariables.COMM_ID, CoreVariables.COMM_SECRET);
      case TEXT ->
          ErrorText.of(
              ", which comes from %s, the same text on both hosts", CoreVariables.COMM_SECRET);
    };
  }

  /** Returns a question in brackets about what a user may have set; empty where nobody has. */
  String question() {
    return switch (source) {
      case ID -> "";
      case VARIABLES ->
          ErrorText.of(
              " (is its %s or %s another one?)", CoreVariables.COMM_ID, CoreVariables.COMM_SECRET);
      case TEXT -> ErrorText.of(" (is its %s another one?)", CoreVariables.COMM_SECRET);
    };
  }
}
