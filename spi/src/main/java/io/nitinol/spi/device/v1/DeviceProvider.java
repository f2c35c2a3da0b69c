// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import io.nitinol.spi.PointerType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings one kind of device: its memory, its streams, its kernels. The contract is the part {@code
 * DEV-*} to {@code DEVTEAM-*} of {@code SPEC.md} beside the sources of this module; the package's
 * page has the driver calls that each method stands for.
 *
 * <p>A provider is a public class with a public constructor without parameters, named in {@code
 * META-INF/services/io.nitinol.spi.device.v1.DeviceProvider} and in a module descriptor's {@code
 * provides}. The constructor does nothing that can fail: the first call of {@link #unavailable}
 * loads the driver ({@code DEV-01}).
 *
 * <p><b>Errors.</b> Whatever fails throws a {@link DeviceException}, whose {@link DeviceFailure}
 * states what is wrong. <b>Threads.</b> Every method of this package may be called by many threads
 * at once unless it says otherwise. No method depends on the device that the calling thread has
 * selected by other means, or changes it ({@code DEV-11}).
 */
public interface DeviceProvider {

  /**
   * Returns the name by which a user chooses this provider, and which logs and reports show: short,
   * printable ASCII without spaces, always the same. May be called before {@link #unavailable}.
   *
   * @return the name, for example {@code cuda}
   */
  String name();

  /**
   * Returns how much this provider wants to be chosen unless the user names one: of those available
   * the greatest wins.
   *
   * @return any number; a provider without a device of its own, such as the CPU twin, says a
   *     negative one
   */
  int priority();

  /**
   * Returns why this provider cannot work in this process. The first call loads the driver and
   * looks for devices; later calls give the same answer. A driver or card that is absent is such a
   * reason and no failure. Does not throw.
   *
   * @return the reason in words for the user, or null where it can work and has a device
   */
  @Nullable String unavailable();

  /**
   * Returns the kind of memory that its devices have, by the word that network plugins know. NCCL's
   * ABI has one word for all memory that the CPU must not dereference, so providers for HIP and
   * Level Zero answer {@link PointerType#CUDA}, as RCCL does.
   *
   * @return {@link PointerType#CUDA}; or {@link PointerType#HOST} where the CPU can read and write
   *     the memory of a device like its own
   */
  PointerType memoryType();

  /**
   * Returns the devices that this process may use, in the driver's order. Indices hold for this
   * process only; {@link Device#uuid} is the same in every process.
   *
   * @return the same objects each time, the device with index i at place i; none where the provider
   *     is unavailable
   */
  List<Device> devices();

  /**
   * Returns the number of bytes of what {@link Device#exportMemory} returns. All handles of a
   * provider have this size, so that they can be exchanged in one all-gather.
   *
   * @return at least 1 and at most 512; 0 where no device has {@link DeviceFeature#MEMORY_HANDLES}
   */
  int memoryHandleSize();

  /**
   * Finds the allocation that an address lies in, whichever library of this process has made it.
   * Does not wait for the device.
   *
   * @param address any address, also one that leads nowhere
   * @return the allocation; or null where the driver does not know the address, as for host memory
   *     that is not registered with it
   * @throws DeviceException with DRIVER_ERROR when the driver cannot answer
   */
  @Nullable MemoryRange find(long address);
}
