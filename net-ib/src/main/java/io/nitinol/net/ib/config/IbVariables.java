// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.config;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables that only the verbs plugin reads, each declared once; names are NCCL's. */
public final class IbVariables implements VariableCatalog {

  /** Whether the plugin is left out. */
  public static final Variable<Boolean> DISABLE =
      Variable.flag(
          "NCCL_IB_DISABLE", false, "Whether the verbs plugin leaves all its devices unused.");

  /** The Socket plugin's switch, which that plugin explains; not in this table. */
  static final Variable<Boolean> TLS =
      Variable.flag("NITINOL_SOCKET_TLS", false, "Whether connections are encrypted.").strict();

  /** Which cards and ports are used. */
  public static final Variable<String> HCA =
      Variable.text(
          "NCCL_IB_HCA",
          "[^][=]name[:port][,name[:port]...]",
          "",
          "Cards (and ports of them) to use: names that begin with one of these; with = exactly"
              + " these names; with ^ all but these.");

  /** How long a queue pair waits for an acknowledgement. */
  public static final Variable<Integer> TIMEOUT =
      Variable.integer(
          "NCCL_IB_TIMEOUT",
          0,
          31,
          20,
          "A queue pair waits 4.096 microseconds times 2 to the power of this for an"
              + " acknowledgement before it sends again; 0 waits forever.");

  /** How often a queue pair sends again. */
  public static final Variable<Integer> RETRY_CNT =
      Variable.integer(
          "NCCL_IB_RETRY_CNT",
          0,
          7,
          7,
          "How often a queue pair sends again what was not acknowledged before the connection"
              + " fails.");

  /** Which GID a RoCE port uses. */
  public static final Variable<Integer> GID_INDEX =
      Variable.integer(
          "NCCL_IB_GID_INDEX",
          -1,
          65_535,
          -1,
          "Index of the GID that RoCE ports use; -1 chooses by NCCL_IB_ADDR_FAMILY,"
              + " NCCL_IB_ADDR_RANGE and NCCL_IB_ROCE_VERSION_NUM.");

  /** Which GID an InfiniBand port with routers uses. */
  public static final Variable<Integer> ROUTABLE_FLID_GID_INDEX =
      Variable.integer(
          "NCCL_IB_ROUTABLE_FLID_GID_INDEX",
          0,
          65_535,
          1,
          "Index of the GID that InfiniBand ports use where it holds a FLID, for routing between"
              + " subnets; otherwise index 0.");

  /** Which addresses GIDs are chosen among. */
  public static final Variable<String> ADDR_FAMILY =
      Variable.choice(
          "NCCL_IB_ADDR_FAMILY",
          List.of("AF_INET", "AF_INET6"),
          "AF_INET",
          "The address family that a RoCE port's GID is chosen from: AF_INET is IPv4, AF_INET6 is"
              + " IPv6.");

  /** Which subnet GIDs are chosen in. */
  public static final Variable<String> ADDR_RANGE =
      Variable.text(
          "NCCL_IB_ADDR_RANGE",
          "address/bits",
          "",
          "The subnet that a RoCE port's GID is chosen in, such as 10.1.0.0/16 or fd00:1::/32, of"
              + " the family of NCCL_IB_ADDR_FAMILY.");

  /** Which RoCE version GIDs are chosen for. */
  public static final Variable<Integer> ROCE_VERSION_NUM =
      Variable.integer(
          "NCCL_IB_ROCE_VERSION_NUM", 1, 2, 2, "The RoCE version that a port's GID is chosen for.");

  /** The service level. */
  public static final Variable<Integer> SL =
      Variable.integer(
          "NCCL_IB_SL",
          -1,
          15,
          -1,
          "InfiniBand service level of what the sending side of a connection asks for; -1 is the"
              + " traffic class of the communicator, or 0.");

  /** The traffic class. */
  public static final Variable<Integer> TC =
      Variable.integer(
          "NCCL_IB_TC",
          -1,
          255,
          -1,
          "RoCE traffic class (DSCP and ECN bits) of data, chosen by the sending side of a"
              + " connection; -1 is that of the communicator, or 0.");

  /** The traffic class of the receiver's messages. */
  public static final Variable<Integer> FIFO_TC =
      Variable.integer(
          "NCCL_IB_FIFO_TC",
          -1,
          255,
          -1,
          "RoCE traffic class of the small messages by which a receiver asks for data; -1 is that"
              + " of NCCL_IB_TC.");

  /** The partition key. */
  public static final Variable<Integer> PKEY =
      Variable.integer(
          "NCCL_IB_PKEY", 0, 65_535, 0, "Index of the partition key that queue pairs use.");

  /** Whether small messages are inline. */
  public static final Variable<Boolean> USE_INLINE =
      Variable.flag(
          "NCCL_IB_USE_INLINE",
          false,
          "Whether the messages by which a receiver asks for data, and data of up to 64 bytes in"
              + " the host's memory, are copied into the work request.");

  /** How many queue pairs a connection has. */
  public static final Variable<Integer> QPS_PER_CONNECTION =
      Variable.integer(
          "NCCL_IB_QPS_PER_CONNECTION",
          1,
          128,
          1,
          "How many queue pairs a connection has on each port, at most 128 in all.");

  /** Whether each message goes over all queue pairs. */
  public static final Variable<Boolean> SPLIT_DATA_ON_QPS =
      Variable.flag(
          "NCCL_IB_SPLIT_DATA_ON_QPS",
          false,
          "Whether each message is split over all queue pairs of its connection; otherwise they"
              + " take turns, one message each.");

  /** From which size on adaptive routing needs a second message. */
  public static final Variable<Integer> AR_THRESHOLD =
      Variable.integer(
          "NCCL_IB_AR_THRESHOLD",
          0,
          Integer.MAX_VALUE,
          8192,
          "Where packets may overtake each other, messages above this size in bytes are announced"
              + " by a message of their own after the data.");

  /** Whether the fabric routes adaptively. */
  public static final Variable<Integer> ADAPTIVE_ROUTING =
      Variable.integer(
          "NCCL_IB_ADAPTIVE_ROUTING",
          -2,
          1,
          -2,
          "1 where packets may overtake each other, 0 where they do not; negative takes 1 for"
              + " InfiniBand and 0 for RoCE.");

  /** Whether PCI writes may overtake each other. */
  public static final Variable<Integer> PCI_RELAXED_ORDERING =
      Variable.integer(
          "NCCL_IB_PCI_RELAXED_ORDERING",
          0,
          2,
          2,
          "Whether memory is registered for relaxed ordering on the PCI bus: 0 never, 1 always, 2"
              + " where libibverbs can.");

  /** Whether received device memory is not flushed. */
  public static final Variable<Boolean> GDR_FLUSH_DISABLE =
      Variable.flag(
          "NCCL_GDR_FLUSH_DISABLE",
          false,
          "Whether data received into GPU memory is taken for visible without a flush.");

  /** Whether ports of one card are one device. */
  public static final Variable<Boolean> MERGE_NICS =
      Variable.flag(
          "NCCL_IB_MERGE_NICS",
          true,
          "Whether ports of one card are one device; 0 also forbids NCCL_NET_FORCE_MERGE.");

  /** Whether virtual functions are one card. */
  public static final Variable<Boolean> MERGE_VFS =
      Variable.flag(
          "NCCL_IB_MERGE_VFS",
          true,
          "Whether virtual functions count as the card they are part of.");

  /** Which ports are one device by the user's will. */
  public static final Variable<String> FORCE_MERGE =
      Variable.text(
          "NCCL_NET_FORCE_MERGE",
          "name[:port],name[:port][,...][;...]",
          "",
          "Ports that are one device, 2 to 8 of them divided by commas, several such devices by"
              + " semicolons; a port is 1 where none is named.");

  /** Whether fatal events fail comms. */
  public static final Variable<Boolean> RETURN_ASYNC_EVENTS =
      Variable.flag(
          "NCCL_IB_RETURN_ASYNC_EVENTS",
          true,
          "Whether fatal asynchronous events fail the connections they concern; otherwise they are"
              + " only logged.");

  /** Whether a comm survives the failure of a port. */
  public static final Variable<Boolean> PORT_FAILOVER =
      Variable.flag(
          "NCCL_IB_RESILIENCY_PORT_FAILOVER",
          true,
          "Whether a connection of a device of several ports goes on without one that fails;"
              + " otherwise it fails with it.");

  /** How long going on without a port may take, in milliseconds. */
  public static final Variable<Integer> FAILOVER_MSEC =
      Variable.integer(
          "NITINOL_IB_FAILOVER_MSEC",
          1,
          Integer.MAX_VALUE,
          600_000,
          "How many milliseconds the two sides of a connection have to go on without a port,"
              + " including the time in which the peer has no call of the plugin, before the"
              + " connection fails.");

  /** Whether cards agree on more than the standard. */
  public static final Variable<Boolean> ECE_ENABLE =
      Variable.flag(
          "NCCL_IB_ECE_ENABLE",
          true,
          "Whether the cards of both sides agree on what they can do beyond the standard (enhanced"
              + " connection establishment), where they and the library know of that.");

  /** Whether every failure to modify a queue pair is tried again. */
  public static final Variable<Boolean> MQP_RETRY_ALL =
      Variable.flag(
          "NCCL_IB_MQP_RETRY_ALL",
          false,
          "Whether modifying a queue pair is tried again after any error; otherwise only after"
              + " ETIMEDOUT.");

  /** How often modifying a queue pair is tried again. */
  public static final Variable<Integer> MQP_RETRY_CNT =
      Variable.integer(
          "NCCL_IB_MQP_RETRY_CNT",
          0,
          Integer.MAX_VALUE,
          34,
          "How often modifying a queue pair is tried again.");

  /** The pause before the next try. */
  public static final Variable<Integer> MQP_RETRY_SLEEP_MSEC =
      Variable.integer(
          "NCCL_IB_MQP_RETRY_SLEEP_MSEC",
          0,
          3_600_000,
          100,
          "How many milliseconds pass before modifying a queue pair is tried again.");

  /** The bound of a connect as a whole, in milliseconds. */
  public static final Variable<Integer> CONNECT_MSEC =
      Variable.integer(
          "NITINOL_IB_CONNECT_MSEC",
          1,
          Integer.MAX_VALUE,
          50_000,
          "After how many milliseconds, all tries together, connecting to a peer fails.");

  /** The time of each part of an incoming connection's greeting, in milliseconds. */
  public static final Variable<Integer> HANDSHAKE_MSEC =
      Variable.integer(
          "NITINOL_IB_HANDSHAKE_MSEC",
          1,
          Integer.MAX_VALUE,
          30_000,
          "How many milliseconds a connection that reaches a listener has for its greeting, then"
              + " for its proof that it is a peer, and then for the exchange of queue pairs, before"
              + " it is dropped.");

  /** The bound of unproven connections per listener. */
  public static final Variable<Integer> HALF_OPEN =
      Variable.integer(
          "NITINOL_IB_HALF_OPEN",
          1,
          65_536,
          256,
          "How many connections that have not yet greeted as peers a listener keeps; one more drops"
              + " the oldest. Also with how many peers it exchanges queue pairs at once; one more"
              + " waits.");

  /** The idle time after which the kernel probes a connection, in seconds. */
  public static final Variable<Integer> KEEPALIVE_SEC =
      Variable.integer(
          "NITINOL_IB_KEEPALIVE_SEC",
          0,
          32_767,
          10,
          "After how many idle seconds, and then how often, the kernel asks whether the peer's host"
              + " is still there, by the TCP connection that each connection keeps; five unanswered"
              + " probes end it, 0 never asks.");

  private static final List<Variable<?>> ALL =
      List.of(
          DISABLE,
          HCA,
          TIMEOUT,
          RETRY_CNT,
          GID_INDEX,
          ROUTABLE_FLID_GID_INDEX,
          ADDR_FAMILY,
          ADDR_RANGE,
          ROCE_VERSION_NUM,
          SL,
          TC,
          FIFO_TC,
          PKEY,
          USE_INLINE,
          QPS_PER_CONNECTION,
          SPLIT_DATA_ON_QPS,
          AR_THRESHOLD,
          ADAPTIVE_ROUTING,
          PCI_RELAXED_ORDERING,
          GDR_FLUSH_DISABLE,
          MERGE_NICS,
          MERGE_VFS,
          FORCE_MERGE,
          RETURN_ASYNC_EVENTS,
          ECE_ENABLE,
          PORT_FAILOVER,
          FAILOVER_MSEC,
          MQP_RETRY_ALL,
          MQP_RETRY_CNT,
          MQP_RETRY_SLEEP_MSEC,
          CONNECT_MSEC,
          HANDSHAKE_MSEC,
          HALF_OPEN,
          KEEPALIVE_SEC);

  /** Creates the catalogue; for ServiceLoader. */
  public IbVariables() {}

  @Override
  public String owner() {
    return "net-ib";
  }

  @Override
  public List<Variable<?>> variables() {
    return ALL;
  }
}
