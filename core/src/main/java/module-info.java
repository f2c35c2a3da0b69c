// SPDX-License-Identifier: Apache-2.0
/** Discovery, selection, schedules, transports, progress engine and communicator. */
@SuppressWarnings("module") // the kit is compiled later: its name cannot be resolved here
module io.nitinol.core {
  requires transitive io.nitinol.spi;
  requires transitive io.nitinol.toolkit; // for the annotations that name a class's threads
  requires jdk.unsupported; // signals, on which the state is told
  requires static org.jspecify;

  exports io.nitinol.core;
  exports io.nitinol.core.bootstrap;
  exports io.nitinol.core.config;
  exports io.nitinol.core.kernel;
  exports io.nitinol.core.launch;
  exports io.nitinol.core.log;
  exports io.nitinol.core.live to
      io.nitinol.cli;
  exports io.nitinol.core.plugin;
  exports io.nitinol.core.plugin.adapt to
      io.nitinol.tck;
  exports io.nitinol.core.shm to
      io.nitinol.cli;
  exports io.nitinol.core.recording to
      io.nitinol.cli;
  exports io.nitinol.core.sim to
      io.nitinol.cli;
  exports io.nitinol.core.sim.cluster to
      io.nitinol.cli;
  exports io.nitinol.core.sim.flow to
      io.nitinol.cli;
  exports io.nitinol.core.sim.workload to
      io.nitinol.cli;
  exports io.nitinol.core.topology to
      io.nitinol.cli;
  exports io.nitinol.core.topology.detect to
      io.nitinol.cli;
  exports io.nitinol.core.topology.report to
      io.nitinol.cli;
  exports io.nitinol.core.topology.search to
      io.nitinol.cli;
  exports io.nitinol.core.topology.tune to
      io.nitinol.cli;
  exports io.nitinol.core.tuning to
      io.nitinol.cli;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.core.config.CoreVariables;
  provides io.nitinol.spi.finder.v1.NetFinder with
      io.nitinol.core.plugin.ProgramNets;
  provides io.nitinol.spi.kernel.v1.KernelProvider with
      io.nitinol.core.kernel.ScalarKernels;

  uses io.nitinol.core.plugin.LibraryFinder;
  uses io.nitinol.core.plugin.NetDecorator;
  uses io.nitinol.spi.buffer.v1.BufferAdapter;
  uses io.nitinol.spi.collnet.v10.CollNet;
  uses io.nitinol.spi.collnet.v11.CollNet;
  uses io.nitinol.spi.collnet.v12.CollNet;
  uses io.nitinol.spi.collnet.v4.CollNet;
  uses io.nitinol.spi.collnet.v5.CollNet;
  uses io.nitinol.spi.collnet.v6.CollNet;
  uses io.nitinol.spi.collnet.v7.CollNet;
  uses io.nitinol.spi.collnet.v8.CollNet;
  uses io.nitinol.spi.collnet.v9.CollNet;
  uses io.nitinol.spi.config.VariableCatalog;
  uses io.nitinol.spi.device.v1.DeviceProvider;
  uses io.nitinol.spi.kernel.v1.KernelProvider;
  uses io.nitinol.spi.log.v1.LogSink;
  uses io.nitinol.spi.net.v10.Net;
  uses io.nitinol.spi.net.v11.Net;
  uses io.nitinol.spi.net.v12.Net;
  uses io.nitinol.spi.net.v4.Net;
  uses io.nitinol.spi.net.v5.Net;
  uses io.nitinol.spi.net.v6.Net;
  uses io.nitinol.spi.net.v7.Net;
  uses io.nitinol.spi.net.v8.Net;
  uses io.nitinol.spi.net.v9.Net;
  uses io.nitinol.spi.profiler.v1.Profiler;
  uses io.nitinol.spi.tuner.v1.Tuner;
}
