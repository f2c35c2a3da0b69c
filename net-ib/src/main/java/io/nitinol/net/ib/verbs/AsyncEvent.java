// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

/**
 * Something that happened to a device, a port or a queue, beside any completion. It has been
 * acknowledged already, so that it keeps nothing from being destroyed.
 *
 * @param type what happened
 * @param text what happened in the library's words
 * @param queuePair number of the queue pair that it happened to, else -1
 * @param queue {@link CompletionQueue#address} of the completion queue that it happened to, else 0
 * @param port number of the port that it happened to, else 0
 */
public record AsyncEvent(Type type, String text, int queuePair, long queue, int port) {

  /** What an event happens to. */
  public enum Subject {
    /** A completion queue. */
    COMPLETION_QUEUE,
    /** A queue pair. */
    QUEUE_PAIR,
    /** A port. */
    PORT,
    /** The whole device. */
    DEVICE,
    /** A shared receive queue or work queue, of which this library makes none. */
    OTHER
  }

  /** The events, in the order of {@code enum ibv_event_type}; names as there. */
  public enum Type {
    /** A completion queue overran or broke: it is dead. */
    CQ_ERR(Subject.COMPLETION_QUEUE, true),
    /** A queue pair broke. */
    QP_FATAL(Subject.QUEUE_PAIR, true),
    /** A request was invalid; the queue pair is in error. */
    QP_REQ_ERR(Subject.QUEUE_PAIR, true),
    /** An access was refused; the queue pair is in error. */
    QP_ACCESS_ERR(Subject.QUEUE_PAIR, true),
    /** Data came before the connection was said to be there; harmless. */
    COMM_EST(Subject.QUEUE_PAIR, false),
    /** A send queue has drained. */
    SQ_DRAINED(Subject.QUEUE_PAIR, false),
    /** The connection went over to its other path. */
    PATH_MIG(Subject.QUEUE_PAIR, false),
    /** It could not. */
    PATH_MIG_ERR(Subject.QUEUE_PAIR, false),
    /** The device broke. */
    DEVICE_FATAL(Subject.DEVICE, true),
    /** A port's link came up. */
    PORT_ACTIVE(Subject.PORT, false),
    /** A port's link went down. */
    PORT_ERR(Subject.PORT, false),
    /** A port's LID changed. */
    LID_CHANGE(Subject.PORT, false),
    /** A port's partition keys changed. */
    PKEY_CHANGE(Subject.PORT, false),
    /** The subnet has another manager. */
    SM_CHANGE(Subject.PORT, false),
    /** A shared receive queue broke. */
    SRQ_ERR(Subject.OTHER, false),
    /** A shared receive queue fell to its limit. */
    SRQ_LIMIT_REACHED(Subject.OTHER, false),
    /** A queue pair in error has taken its last shared receive. */
    QP_LAST_WQE_REACHED(Subject.QUEUE_PAIR, false),
    /** The subnet's manager asks for registrations again. */
    CLIENT_REREGISTER(Subject.PORT, false),
    /** A port's GIDs changed. */
    GID_CHANGE(Subject.PORT, false),
    /** A work queue broke. */
    WQ_FATAL(Subject.OTHER, false),
    /** An event that is newer than this library. */
    UNKNOWN(Subject.OTHER, false);

    private static final Type[] ALL = values();

    private final Subject subject;
    private final boolean fatal;

    Type(Subject subject, boolean fatal) {
      this.subject = subject;
      this.fatal = fatal;
    }

    static Type of(int number) {
      return number >= 0 && number < UNKNOWN.ordinal() ? ALL[number] : UNKNOWN;
    }

    /** {@return what it happens to} */
    public Subject subject() {
      return subject;
    }

    /** {@return whether what it happened to can no longer be used, as NCCL counts it} */
    public boolean fatal() {
      return fatal;
    }
  }
}
