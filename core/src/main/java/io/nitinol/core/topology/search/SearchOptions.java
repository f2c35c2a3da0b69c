// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

/**
 * What a search is told beside the graph.
 *
 * @param between whether the job has other hosts
 * @param crossNic {@code NCCL_CROSS_NIC}: 0 never, 1 always, 2 where it is better
 * @param collNet whether a CollNet plugin is there
 * @param nvls whether GPUs reduce in their NVSwitches
 */
public record SearchOptions(boolean between, int crossNic, boolean collNet, boolean nvls) {
  /** One host; NCCL's defaults. */
  public static final SearchOptions ONE_HOST = new SearchOptions(false, 2, false, false);

  /** Several hosts; NCCL's defaults. */
  public static final SearchOptions HOSTS = new SearchOptions(true, 2, false, false);
}
