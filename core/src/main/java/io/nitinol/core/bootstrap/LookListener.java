// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** Answers {@code nitinol top --job} for one rank. */
@FunctionalInterface
public interface LookListener {
  /**
   * Takes a question. Called on the bootstrap's thread, so it must not wait: the answer comes from
   * another thread.
   */
  void asked(Reply reply);

  /** The way back to one that has asked. Safe for any thread; the first call counts. */
  interface Reply {
    /**
     * Returns what was asked.
     *
     * @return true: where all ranks of the communicator listen; false: where those of this process
     *     stand
     */
    boolean isAboutMembers();

    /**
     * Answers.
     *
     * @param state a JSON document; one of more than {@link MemberLook#MOST_BYTES} is not sent
     */
    void answer(byte[] state);

    /**
     * Refuses to answer.
     *
     * @param why follows "it"
     */
    void refuse(String why);
  }
}
