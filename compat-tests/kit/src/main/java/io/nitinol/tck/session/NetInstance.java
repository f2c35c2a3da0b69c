// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.toolkit.ErrorText;

/**
 * An instance of a network that has been initialized.
 *
 * @param net the network with its calls traced
 * @param bare the same without a trace, for tests that count allocations
 * @param devices how many devices it has
 * @param said the last line that it logged until then, which says why it has none; may be empty
 */
public record NetInstance(TestedNet net, TestedNet bare, int devices, String said) {

  /** Makes an instance that has not been initialized, at the end of the lane. */
  public static TestedNet create(PluginUnderTest plugin, Lane lane) {
    Object raw;
    try {
      raw = plugin.create(lane);
    } catch (Throwable e) {
      throw new RuleViolation("SEL-01", "the provider's constructor threw " + e, e);
    }
    return PluginViews.net(lane, raw);
  }

  /**
   * Makes and initializes an instance.
   *
   * @throws RuleViolation when the plugin cannot be made or started
   */
  public static NetInstance start(PluginUnderTest plugin, Lane lane, CallTrace trace, KitLog log) {
    TestedNet bare = create(plugin, lane);
    TestedNet net = new TracedNet(bare, trace);
    try {
      net.init(log);
      int devices = net.devices();
      return new NetInstance(net, bare, devices, log.lastSaid());
    } catch (NetException e) {
      throw new RuleViolation(
          "NET-INIT-03",
          ErrorText.of(
              "init failed with %s: %s; the kit has nothing to test", e.result(), e.getMessage()),
          e);
    } catch (Throwable e) {
      throw new RuleViolation("NET-ERR-01", "init or devices threw " + e, e);
    }
  }
}
