// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.verbs.Verbs;
import io.nitinol.net.ib.verbs.VerbsException;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;

/** Makes the exception for a completion that failed, with what to look at. */
final class CompletionFailure {
  private CompletionFailure() {}

  /**
   * Returns the exception.
   *
   * @param label the peer and this side's device
   * @param port this side's port
   * @param id the {@code wr_id} of the request that failed
   * @param status its status
   * @param vendorError the vendor's code
   * @param queuePair number of this side's queue pair
   */
  static NetException of(
      String label, IbPort port, long id, int status, int vendorError, int queuePair) {
    String name = Verbs.statusName(status);
    return new NetException(
        code(name),
        ErrorText.of(
            "%s: %s failed with %s (%s), vendor error 0x%s, on %s queue pair %d: %s",
            label,
            WorkId.verb(id),
            name,
            Verbs.statusText(status),
            Integer.toHexString(vendorError),
            port.label(),
            queuePair,
            isDown(port) ? "port " + port.label() + " is down" : hint(name)));
  }

  /** What this side or its hardware did is no fault of the peer's. */
  private static ResultCode code(String name) {
    return name.startsWith("LOC_") || name.equals("FATAL_ERR") || name.equals("GENERAL_ERR")
        ? ResultCode.SYSTEM_ERROR
        : ResultCode.REMOTE_ERROR;
  }

  /** Asks the card, since the event that reports it may still be on its way. */
  static boolean isDown(IbPort port) {
    try {
      return !port.card().context().queryPort(port.number()).active();
    } catch (VerbsException e) {
      return port.isDown(); // as far as is known
    }
  }

  private static String hint(String name) {
    return switch (name) {
      case "RETRY_EXC_ERR" ->
          "the peer or the way to it is gone, or something on the way takes only packets below the"
              + " MTU of both ports; for a slow network see NCCL_IB_TIMEOUT and NCCL_IB_RETRY_CNT,"
              + " for a wrong way NCCL_IB_GID_INDEX";
      case "RNR_RETRY_EXC_ERR" ->
          "the peer had no receive posted, which this plugin always does first; do all ranks run"
              + " one version?";
      case "REM_ACCESS_ERR", "REM_INV_REQ_ERR", "REM_OP_ERR" ->
          "the peer's memory is not registered any more, or not as large as it said; do all"
              + " ranks run one version?";
      case "LOC_PROT_ERR", "LOC_ACCESS_ERR" ->
          "memory of a message in flight was deregistered or freed on this side";
      case "LOC_LEN_ERR", "LOC_QP_OP_ERR" ->
          "the device refused the request; see its limits with ibv_devinfo -v";
      case "WR_FLUSH_ERR" ->
          "the queue pair had failed before; an event or a line in the peer's log may say why";
      case "FATAL_ERR", "GENERAL_ERR" -> "the device or its driver failed; see dmesg";
      default -> "an event in the log, or dmesg, may say why";
    };
  }
}
