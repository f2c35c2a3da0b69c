// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.config;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import io.nitinol.toolkit.connect.Features;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the plugin's variables say, read once at init. Immutable.
 *
 * @param ports which ports are devices, and with which addresses
 * @param connecting how the two sides of a connection find each other
 * @param keepAliveSeconds idle time before keep-alive probes and between them; 0 for none
 * @param connection how their queue pairs are connected
 * @param transfer how messages travel
 * @param relaxedOrdering 0 never, 1 always, 2 where libibverbs can
 * @param flushDisabled whether {@code iflush} has nothing to do
 * @param failOnEvents whether fatal asynchronous events fail comms
 * @param failover whether a comm goes on when one of its ports fails
 * @param failoverMillis how long that may take
 */
public record IbOptions(
    PortOptions ports,
    ConnectOptions connecting,
    int keepAliveSeconds,
    ConnectionOptions connection,
    TransferOptions transfer,
    int relaxedOrdering,
    boolean flushDisabled,
    boolean failOnEvents,
    boolean failover,
    int failoverMillis) {
  private static final int PAUSE_MILLIS = 100;
  private static final int MOST_TRAFFIC_CLASS = 255;
  private static final int MOST_SERVICE_LEVEL = 15;

  /**
   * Reads the variables.
   *
   * @param settings where they are set
   * @return what they say
   */
  public static IbOptions read(Settings settings) {
    return read(settings, NetCommConfig.UNDEFINED);
  }

  /**
   * Reads the variables for a communicator.
   *
   * @param settings where they are set
   * @param trafficClass the class that the communicator asks for, or {@link
   *     NetCommConfig#UNDEFINED}: what holds where the variables leave it open. On InfiniBand it is
   *     a service level, where it is one
   * @return what they say
   * @throws NetException INVALID_USAGE for a class that packets have no room for
   */
  public static IbOptions read(Settings settings, int trafficClass) {
    if (trafficClass != NetCommConfig.UNDEFINED
        && (trafficClass < 0 || trafficClass > MOST_TRAFFIC_CLASS)) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "the communicator asks for traffic class %d: the IB plugin has 0 to %s",
              trafficClass, MOST_TRAFFIC_CLASS));
    }
    int asked = Math.max(0, trafficClass);
    int sl = settings.get(IbVariables.SL);
    int givenTc = settings.get(IbVariables.TC);
    int tc = givenTc < 0 ? asked : givenTc;
    int fifoTc = settings.get(IbVariables.FIFO_TC);
    return new IbOptions(
        new PortOptions(
            unused(settings),
            settings.get(IbVariables.HCA).strip(),
            settings.get(IbVariables.GID_INDEX),
            settings.get(IbVariables.ROUTABLE_FLID_GID_INDEX),
            settings.get(IbVariables.ADDR_FAMILY).equals("AF_INET6"),
            settings.get(IbVariables.ADDR_RANGE).strip(),
            settings.get(IbVariables.ROCE_VERSION_NUM),
            settings.get(IbVariables.PKEY),
            settings.get(IbVariables.ADAPTIVE_ROUTING),
            settings.get(IbVariables.MERGE_NICS),
            settings.get(IbVariables.MERGE_VFS),
            settings.get(IbVariables.FORCE_MERGE).strip()),
        connecting(settings),
        settings.get(IbVariables.KEEPALIVE_SEC),
        new ConnectionOptions(
            settings.get(IbVariables.TIMEOUT),
            settings.get(IbVariables.RETRY_CNT),
            sl < 0 ? (asked > MOST_SERVICE_LEVEL ? 0 : asked) : sl,
            tc,
            fifoTc < 0 ? tc : fifoTc,
            settings.get(IbVariables.PKEY),
            settings.get(IbVariables.QPS_PER_CONNECTION),
            settings.get(IbVariables.MQP_RETRY_ALL),
            settings.get(IbVariables.MQP_RETRY_CNT),
            TimeUnit.MILLISECONDS.toNanos(settings.get(IbVariables.MQP_RETRY_SLEEP_MSEC)),
            settings.get(IbVariables.ECE_ENABLE)),
        new TransferOptions(
            settings.get(IbVariables.USE_INLINE),
            settings.get(IbVariables.SPLIT_DATA_ON_QPS),
            settings.get(IbVariables.AR_THRESHOLD)),
        settings.get(IbVariables.PCI_RELAXED_ORDERING),
        settings.get(IbVariables.GDR_FLUSH_DISABLE),
        settings.get(IbVariables.RETURN_ASYNC_EVENTS),
        settings.get(IbVariables.PORT_FAILOVER),
        settings.get(IbVariables.FAILOVER_MSEC));
  }

  /**
   * Who asks for encrypted connections must not get plain ones because a host has an RDMA device,
   * and a switch that cannot be read is no leave either.
   */
  private static @Nullable String unused(Settings settings) {
    if (settings.get(IbVariables.DISABLE)) {
      return IbVariables.DISABLE + " is set";
    }
    if (settings.mistake(IbVariables.TLS) != null || settings.get(IbVariables.TLS)) {
      return ErrorText.of(
          "%s=%s (from %s) asks for encrypted connections, which RDMA does not have",
          IbVariables.TLS, settings.raw(IbVariables.TLS.name()), settings.source(IbVariables.TLS));
    }
    return null;
  }

  private static ConnectOptions connecting(Settings settings) {
    Bound connect = Bound.of(settings, IbVariables.CONNECT_MSEC);
    return new ConnectOptions(
        "IB",
        // As often as there is time for.
        new Bound(Integer.MAX_VALUE, connect.variable()),
        new Bound(PAUSE_MILLIS, connect.variable()),
        connect,
        Bound.of(settings, IbVariables.HANDSHAKE_MSEC),
        Bound.of(settings, IbVariables.HALF_OPEN),
        0,
        0,
        Features.NONE);
  }

  /**
   * Which ports are devices, and with which addresses.
   *
   * @param unused why there are to be no devices at all; null where there may be some
   * @param hca the text of {@code NCCL_IB_HCA}; empty for all
   * @param gidIndex the GID of RoCE ports; negative to choose one
   * @param flidGidIndex the GID of InfiniBand ports where it holds a FLID
   * @param ipv6 whether GIDs are chosen among IPv6 addresses
   * @param addressRange the text of {@code NCCL_IB_ADDR_RANGE}; empty for any address
   * @param roceVersion the RoCE version GIDs are chosen for, 1 or 2
   * @param pkeyIndex the partition key that every port has to have
   * @param adaptiveRouting 1 or 0 for all ports; negative by link layer
   * @param mergeNics whether ports can be merged
   * @param mergeVfs whether virtual functions count as one card
   * @param forceMerge the text of {@code NCCL_NET_FORCE_MERGE}; empty for none
   */
  public record PortOptions(
      @Nullable String unused,
      String hca,
      int gidIndex,
      int flidGidIndex,
      boolean ipv6,
      String addressRange,
      int roceVersion,
      int pkeyIndex,
      int adaptiveRouting,
      boolean mergeNics,
      boolean mergeVfs,
      String forceMerge) {}

  /**
   * How queue pairs are connected.
   *
   * @param timeout the exponent of a queue pair's acknowledgement timeout, 0 to 31
   * @param retryCount how often a queue pair sends again, 0 to 7
   * @param serviceLevel the InfiniBand service level, 0 to 15
   * @param trafficClass the traffic class of data, 0 to 255
   * @param fifoTrafficClass the traffic class of clear-to-send messages, 0 to 255
   * @param pkeyIndex the index of the partition key
   * @param queuePairsPerPort how many queue pairs a connection has on each port, 1 to 128
   * @param modifyRetryAll whether modifying a queue pair is repeated after any error
   * @param modifyRetryCount how often modifying a queue pair is repeated
   * @param modifyRetryNanos the pause before that
   * @param ece whether the cards may agree on more than the standard
   */
  public record ConnectionOptions(
      int timeout,
      int retryCount,
      int serviceLevel,
      int trafficClass,
      int fifoTrafficClass,
      int pkeyIndex,
      int queuePairsPerPort,
      boolean modifyRetryAll,
      int modifyRetryCount,
      long modifyRetryNanos,
      boolean ece) {}

  /**
   * How messages travel.
   *
   * @param inline whether clear-to-send messages are inline
   * @param split whether each message is split over all queue pairs
   * @param adaptiveThreshold above how many bytes a message is announced by one of its own, where
   *     packets may overtake each other
   */
  public record TransferOptions(boolean inline, boolean split, int adaptiveThreshold) {}
}
