// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.CLibrary;

/** Makes the exception for a call that failed. */
final class VerbsFailure {
  private VerbsFailure() {}

  /**
   * Returns the exception.
   *
   * @param call the function
   * @param where on what, such as {@code " on mlx5_0:1"}, or empty
   * @param errno the error number, 0 for none
   */
  static VerbsException of(String call, String where, int errno) {
    String text =
        errno == 0
            ? "no error number was given"
            : CLibrary.strerror(errno) + " (errno " + errno + ")";
    return new VerbsException(call, where, errno, text + hint(call, errno));
  }

  private static String hint(String call, int errno) {
    return switch (errno) {
      case Errno.EPERM, Errno.EACCES ->
          "; may this user read and write /dev/infiniband/uverbs*? (a container needs them passed"
              + " in)";
      case Errno.ENOENT ->
          call.equals("ibv_open_device")
              ? "; is /dev/infiniband/uverbs* there? (module ib_uverbs; a container needs them"
                  + " passed in)"
              : "";
      case Errno.ENOMEM ->
          call.startsWith("ibv_post")
              ? "; the queue is full"
              : "; pinned memory counts against the limit of locked memory (ulimit -l, which"
                  + " should be unlimited)";
      case Errno.EMFILE -> "; the limit of open files is reached (ulimit -n)";
      case Errno.ENODEV, Errno.EIO -> "; the device was removed or is in a fatal state (dmesg)";
      case Errno.ETIMEDOUT, Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
          call.equals("ibv_modify_qp")
              ? "; the peer's address did not resolve: check NCCL_IB_GID_INDEX,"
                  + " NCCL_IB_ADDR_FAMILY and that both ports are up and in one network"
              : "";
      case Errno.EINVAL ->
          call.equals("ibv_modify_qp")
              ? "; check NCCL_IB_GID_INDEX, NCCL_IB_PKEY, NCCL_IB_TIMEOUT and NCCL_IB_RETRY_CNT"
              : "";
      case Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ENOSYS ->
          "; the driver or kernel does not have it";
      default -> "";
    };
  }
}
