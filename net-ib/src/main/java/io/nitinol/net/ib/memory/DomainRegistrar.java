// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.verbs.Access;
import io.nitinol.net.ib.verbs.IbMemoryRegion;
import io.nitinol.net.ib.verbs.ProtectionDomain;
import io.nitinol.net.ib.verbs.Verbs;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.function.Supplier;

/** Registers memory in a card's protection domain. */
public final class DomainRegistrar implements MrCache.Registrar {
  /** What the card may do to memory that is only sent from: answer the READs of a flush. */
  private static final int READABLE = Access.REMOTE_READ;

  private static final int WRITABLE = READABLE | Access.LOCAL_WRITE | Access.REMOTE_WRITE;

  private final Supplier<ProtectionDomain> domain;
  private final int relaxedOrdering;

  /** A region of verbs. */
  private record Region(IbMemoryRegion region) implements MrCache.CardRegion {

    @Override
    public int lkey() {
      return region.localKey();
    }

    @Override
    public int rkey() {
      return region.remoteKey();
    }

    @Override
    public void end() {
      region.close();
    }
  }

  /**
   * Makes what registers memory with a card.
   *
   * @param domain the card's protection domain, asked for with each registration
   * @param relaxedOrdering whether PCI may order the card's writes as it likes: 0 never, 1 always,
   *     2 where libibverbs can
   */
  public DomainRegistrar(Supplier<ProtectionDomain> domain, int relaxedOrdering) {
    this.domain = domain;
    this.relaxedOrdering = relaxedOrdering;
  }

  @Override
  public MrCache.CardRegion register(long address, long length, boolean writable) {
    int access = writable ? WRITABLE : READABLE;
    ProtectionDomain in = domain.get();
    return new Region(
        relaxed()
            ? in.registerIova2(address, length, address, access | Access.RELAXED_ORDERING)
            : in.register(address, length, access));
  }

  @Override
  public MrCache.CardRegion registerDmaBuf(long offset, long address, long length, int fd) {
    int access = relaxed() ? WRITABLE | Access.RELAXED_ORDERING : WRITABLE;
    return new Region(domain.get().registerDmaBuf(offset, length, address, fd, access));
  }

  private boolean relaxed() {
    if (relaxedOrdering == 1 && !Verbs.hasRelaxedOrdering()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s=1, but this libibverbs has no ibv_reg_mr_iova2 to register memory so; 2"
                  + " takes it where it is there",
              IbVariables.PCI_RELAXED_ORDERING));
    }
    return relaxedOrdering != 0 && Verbs.hasRelaxedOrdering();
  }
}
