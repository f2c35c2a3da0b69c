// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * What a device may lack. {@link Device#supports} says what it has; the operations that need a
 * feature which it lacks throw {@link DeviceFailure#UNSUPPORTED}.
 */
public enum DeviceFeature {
  /** {@link Device#exportMemory} and {@link Device#importMemory}: memory of another process. */
  MEMORY_HANDLES,
  /** {@link Device#exportDmaBuf}: a descriptor by which other hardware reaches device memory. */
  DMABUF,
  /** {@link Device#registerHost}: existing host memory becomes pinned. */
  HOST_REGISTRATION,
  /** {@link Device#wrapStream}: streams of other libraries. */
  FOREIGN_STREAMS,
  /** {@link DeviceStream#writeValue} and {@link DeviceStream#waitValue}. */
  STREAM_VALUES,
  /** {@link DeviceStream#beginCapture}, {@link DeviceStream#endCapture} and launch of graphs. */
  GRAPHS,
  /** {@link Device#joinTeam}: fused collectives among devices of one host. */
  TEAMS
}
