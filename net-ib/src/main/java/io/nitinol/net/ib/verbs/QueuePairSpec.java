// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

/**
 * What a queue pair is made of.
 *
 * @param sendQueue where completions of sends arrive
 * @param receiveQueue where completions of receives arrive; may be the same
 * @param sends most work requests that are posted and not complete in the send queue
 * @param receives the same for the receive queue; 0 for none
 * @param entriesPerSend most scatter/gather entries of a send
 * @param entriesPerReceive most scatter/gather entries of a receive
 * @param inlineBytes bytes that can be sent inline, 0 for none; the device may give more
 */
public record QueuePairSpec(
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    int sends,
    int receives,
    int entriesPerSend,
    int entriesPerReceive,
    int inlineBytes) {

  /**
   * {@return a queue pair with one completion queue, one entry per request}
   *
   * @param queue where all completions arrive
   * @param sends most outstanding sends
   * @param receives most outstanding receives
   * @param inlineBytes bytes that can be sent inline
   */
  public static QueuePairSpec of(CompletionQueue queue, int sends, int receives, int inlineBytes) {
    return new QueuePairSpec(queue, queue, sends, receives, 1, 1, inlineBytes);
  }
}
