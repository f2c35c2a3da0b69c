// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables that only the TCP plugin reads, each declared once. */
public final class SocketVariables implements VariableCatalog {

  /** The most threads of a connection, as in NCCL. */
  public static final int MOST_THREADS = 16;

  /** The most data sockets of a connection, as in NCCL. */
  public static final int MOST_DATA = 64;

  /** How often a refused or unanswered connection is tried again. */
  public static final Variable<Integer> RETRY_COUNT =
      Variable.integer(
          "NCCL_SOCKET_RETRY_CNT",
          0,
          Integer.MAX_VALUE,
          34,
          "How often a TCP connection that was refused or not answered is tried again.");

  /** The unit of the growing pause between two tries, in milliseconds. */
  public static final Variable<Integer> RETRY_SLEEP_MSEC =
      Variable.integer(
          "NCCL_SOCKET_RETRY_SLEEP_MSEC",
          0,
          3_600_000,
          100,
          "Pause before the n-th repeated try of a TCP connection is n times this, in milliseconds.");

  /** The size of the kernel's send buffer. */
  public static final Variable<Integer> SNDBUF =
      Variable.integer(
          "NCCL_SOCKET_SNDBUF",
          -1,
          Integer.MAX_VALUE,
          -1,
          "Size of a connection's kernel send buffer in bytes; -1 or 0 leaves it to the kernel.");

  /** The size of the kernel's receive buffer. */
  public static final Variable<Integer> RCVBUF =
      Variable.integer(
          "NCCL_SOCKET_RCVBUF",
          -1,
          Integer.MAX_VALUE,
          -1,
          "Size of a connection's kernel receive buffer in bytes; -1 or 0 leaves it to the kernel.");

  /** How many data sockets each thread of a connection has. */
  public static final Variable<Integer> NSOCKS_PERTHREAD =
      Variable.integer(
          "NCCL_NSOCKS_PERTHREAD",
          -2,
          Integer.MAX_VALUE,
          -2,
          "How many data sockets each thread of a connection has; times NCCL_SOCKET_NTHREADS, at"
              + " most 64 in all, where 1 or less means that the control socket carries the data;"
              + " negative: 8 on Amazon's cards, else 1.");

  /** For how many threads a connection has data sockets. */
  public static final Variable<Integer> NTHREADS =
      Variable.integer(
          "NCCL_SOCKET_NTHREADS",
          -2,
          Integer.MAX_VALUE,
          -2,
          "For how many threads a connection has data sockets, at most 16; negative: 2 on Amazon's"
              + " cards, 4 on Google's, else 0; but 2 with 8 processors and more where NCCL itself"
              + " loads the plugin; the listening side's choice holds for both. The threads are the process's, a"
              + " quarter of its processors, 2 to 4, or as many as a connection asks for; they help"
              + " the thread that drives a connection.");

  /** The least bytes of a message that go over one data socket. */
  public static final Variable<Integer> MIN_TASKSIZE =
      Variable.integer(
          "NCCL_SOCKET_MIN_TASKSIZE",
          -1,
          Integer.MAX_VALUE,
          -1,
          "The least bytes that a data socket gets of a message which several of them carry; -1"
              + " takes 65536, NCCL's default, and half of it with 32 processors and more.");

  /** The largest message that the control socket carries beside data sockets. */
  public static final Variable<Integer> INLINE =
      Variable.integer(
          "NCCL_SOCKET_INLINE",
          -1,
          Integer.MAX_VALUE,
          -1,
          "Messages up to this size in bytes go over the control socket although there are data"
              + " sockets, in one write with their header; -1 takes 65536, 262144 with 8"
              + " processors and more, and 32767 with 32 and more; NCCL's own default is 128.");

  /** The bound of a connect as a whole, in milliseconds. */
  public static final Variable<Integer> CONNECT_MSEC =
      Variable.integer(
          "NITINOL_SOCKET_CONNECT_MSEC",
          1,
          Integer.MAX_VALUE,
          50_000,
          "After how many milliseconds, all tries together, connecting to a peer fails; an attempt"
              + " is dropped when connect is not called again for as long.");

  /** The time a new connection has to prove that it is a peer, in milliseconds. */
  public static final Variable<Integer> HANDSHAKE_MSEC =
      Variable.integer(
          "NITINOL_SOCKET_HANDSHAKE_MSEC",
          1,
          Integer.MAX_VALUE,
          30_000,
          "How many milliseconds a connection that reaches a listener has for its greeting, and"
              + " then for its proof that it is a peer, before it is dropped. A connection of several"
              + " sockets has as long for each next socket.");

  /** The bound of unproven connections per listener. */
  public static final Variable<Integer> HALF_OPEN =
      Variable.integer(
          "NITINOL_SOCKET_HALF_OPEN",
          1,
          65_536,
          256,
          "How many connections that have not yet greeted as peers a listener keeps; one more drops"
              + " the oldest. Also of how many comms it checks the proofs at once; one more waits.");

  /** How long helping threads spin. */
  public static final Variable<Integer> SPIN_USEC =
      Variable.integer(
          "NITINOL_SOCKET_SPIN_USEC",
          -1,
          1_000_000,
          -1,
          "How many microseconds the threads of NCCL_SOCKET_NTHREADS look for something to do again"
              + " and again before they rest; -1 takes 50, on one or two processors 0, with 8 and more 300.");

  /** The idle time after which the kernel probes a connection, in seconds. */
  public static final Variable<Integer> KEEPALIVE_SEC =
      Variable.integer(
          "NITINOL_SOCKET_KEEPALIVE_SEC",
          0,
          32_767,
          10,
          "After how many idle seconds, and then how often, the kernel asks whether the peer's host"
              + " is still there; five unanswered probes end the connection, 0 never asks. While"
              + " sent data waits for its acknowledgement Linux does not ask, and gives up after"
              + " about 15 minutes (net.ipv4.tcp_retries2).");

  /** How long the kernel waits for acknowledgements, in milliseconds. */
  public static final Variable<Integer> USER_TIMEOUT_MSEC =
      Variable.integer(
          "NITINOL_SOCKET_USER_TIMEOUT_MSEC",
          0,
          Integer.MAX_VALUE,
          0,
          "After how many milliseconds without an acknowledgement of sent data, or without room for"
              + " it at the peer, the kernel ends the connection (TCP_USER_TIMEOUT). A peer that does"
              + " not receive for as long counts as gone although it may only be busy, so 0, the"
              + " default, leaves it to net.ipv4.tcp_retries2; needs native access as"
              + " NITINOL_SOCKET_NATIVE does.");

  /** How much the kernel takes of a data stream before it can send it, in bytes. */
  public static final Variable<Integer> NOTSENT_BYTES =
      Variable.integer(
          "NITINOL_SOCKET_NOTSENT_BYTES",
          0,
          Integer.MAX_VALUE,
          128 << 10,
          "About how many bytes that it cannot send yet the kernel takes of each of several data"
              + " sockets (TCP_NOTSENT_LOWAT), so that a slow one gets less of a message and not"
              + " only sends it later; 0 leaves it to net.ipv4.tcp_notsent_lowat, which also does"
              + " it where there is no native access as NITINOL_SOCKET_NATIVE needs.");

  /** How the kernel paces what it sends. */
  public static final Variable<String> CONGESTION =
      Variable.text(
          "NITINOL_SOCKET_CONGESTION",
          "the name of an algorithm",
          "",
          "The congestion control of connections (TCP_CONGESTION), one of"
              + " net.ipv4.tcp_allowed_congestion_control; by itself reno inside the host, where"
              + " nothing is congested and an algorithm that paces only delays, and"
              + " net.ipv4.tcp_congestion_control elsewhere; needs native access as"
              + " NITINOL_SOCKET_NATIVE does.");

  /** Whether system calls are used directly. */
  public static final Variable<Boolean> NATIVE =
      Variable.flag(
          "NITINOL_SOCKET_NATIVE",
          true,
          "Whether connections that are not encrypted use the system calls that take a header and its"
              + " payload at once, where the JVM gives native access to io.nitinol.net.socket; otherwise"
              + " they use java.nio.");

  /** Whether connections are encrypted. */
  public static final Variable<Boolean> TLS =
      Variable.flag(
              "NITINOL_SOCKET_TLS",
              false,
              "Whether the TCP plugin's connections are encrypted and their data protected against"
                  + " change, by TLS 1.3; the same on all ranks. Without the three files the keys follow"
                  + " from a secret that the job's bootstrap hands from rank to rank.")
          .strict();

  /** The certificate of this process. */
  public static final Variable<String> TLS_CERT =
      Variable.text(
          "NITINOL_SOCKET_TLS_CERT",
          "a PEM file",
          "",
          "With NITINOL_SOCKET_TLS=1: the certificate that this process shows, and after it those"
              + " between it and the CA; valid for both servers and clients.");

  /** The private key of the certificate. */
  public static final Variable<String> TLS_KEY =
      Variable.text(
          "NITINOL_SOCKET_TLS_KEY",
          "a PEM file",
          "",
          "With NITINOL_SOCKET_TLS=1: the private key of that certificate, in PKCS#8 and not"
              + " encrypted.");

  /** The certificates that the peers' have to lead to. */
  public static final Variable<String> TLS_CA =
      Variable.text(
          "NITINOL_SOCKET_TLS_CA",
          "a PEM file",
          "",
          "With NITINOL_SOCKET_TLS=1: the certificates of the CAs; a peer is accepted whose"
              + " certificate leads to one of them, whatever host name is in it.");

  private static final List<Variable<?>> ALL =
      List.of(
          RETRY_COUNT,
          RETRY_SLEEP_MSEC,
          SNDBUF,
          RCVBUF,
          NSOCKS_PERTHREAD,
          NTHREADS,
          MIN_TASKSIZE,
          INLINE,
          CONNECT_MSEC,
          HANDSHAKE_MSEC,
          HALF_OPEN,
          SPIN_USEC,
          KEEPALIVE_SEC,
          USER_TIMEOUT_MSEC,
          NOTSENT_BYTES,
          CONGESTION,
          NATIVE,
          TLS,
          TLS_CERT,
          TLS_KEY,
          TLS_CA);

  /** Creates the catalogue; for ServiceLoader. */
  public SocketVariables() {}

  @Override
  public String owner() {
    return "net-socket";
  }

  @Override
  public List<Variable<?>> variables() {
    return ALL;
  }

  @Override
  public List<String> unmet(Settings settings) {
    return UnmetSocketRequests.in(settings);
  }
}
