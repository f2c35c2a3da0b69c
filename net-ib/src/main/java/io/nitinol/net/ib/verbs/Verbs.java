// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.CLibrary;
import io.nitinol.net.ib.ffi.Libibverbs;
import io.nitinol.net.ib.ffi.verbs_h;
import io.nitinol.net.ib.ffi.verbs_optional;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The library libibverbs. It is loaded when this class is first used and never unloaded; where it
 * cannot be, {@link #absence} has the reason and nothing throws until a verb is called.
 */
public final class Verbs {
  private static final boolean RELAXED_ORDERING =
      Libibverbs.has("ibv_reg_mr_iova2", verbs_optional.ibv_reg_mr_iova2$version);

  private static final boolean DMA_BUF =
      Libibverbs.has("ibv_reg_dmabuf_mr", verbs_optional.ibv_reg_dmabuf_mr$version);

  private static final boolean ECE =
      Libibverbs.has("ibv_query_ece", verbs_optional.ibv_query_ece$version)
          && Libibverbs.has("ibv_set_ece", verbs_optional.ibv_set_ece$version);

  private static final boolean GID_ENTRIES =
      Libibverbs.has("_ibv_query_gid_ex", verbs_optional._ibv_query_gid_ex$version);

  private Verbs() {}

  /** {@return why there are no verbs in this process, or null where there are} */
  public static @Nullable String absence() {
    return Libibverbs.absence();
  }

  /**
   * Prepares the library for a process that forks: memory that is registered afterwards is kept
   * from children ({@code ibv_fork_init}).
   *
   * @throws VerbsException where it is too late, since memory was registered already
   */
  public static void forkInit() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      int code = verbs_h.ibv_fork_init(errno);
      if (code != 0) {
        throw VerbsFailure.of("ibv_fork_init", "", ErrnoSegment.of(code, errno));
      }
    }
  }

  /** {@return whether memory can be registered with relaxed ordering ({@code ibv_reg_mr_iova2})} */
  public static boolean hasRelaxedOrdering() {
    return RELAXED_ORDERING;
  }

  /**
   * {@return whether the library can register a dma-buf ({@code ibv_reg_dmabuf_mr}); whether the
   * driver can is asked of {@link ProtectionDomain#dmaBufSupported}}
   */
  public static boolean hasDmaBuf() {
    return DMA_BUF;
  }

  /** {@return whether enhanced connection establishment can be negotiated} */
  public static boolean hasEce() {
    return ECE;
  }

  static boolean hasGidEntries() {
    return GID_ENTRIES;
  }

  /**
   * {@return the library's words for a completion's status, such as {@code remote access error}}
   *
   * @param status one of {@link WorkCompletions}' statuses
   */
  public static String statusText(int status) {
    try (Arena arena = Arena.ofConfined()) {
      return CLibrary.text(verbs_h.ibv_wc_status_str(ErrnoSegment.in(arena), status));
    }
  }

  /** {@return a completion's status by name, such as {@code REM_ACCESS_ERR}} */
  public static String statusName(int status) {
    return WorkCompletions.statusName(status);
  }

  static String eventText(int event) {
    try (Arena arena = Arena.ofConfined()) {
      return CLibrary.text(verbs_h.ibv_event_type_str(ErrnoSegment.in(arena), event));
    }
  }
}
