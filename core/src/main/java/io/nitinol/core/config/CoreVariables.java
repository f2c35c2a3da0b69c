// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.InterfaceSearch;
import java.util.List;

/**
 * The variables that core reads, each declared once. Names, syntax and defaults are NCCL's where
 * NCCL has the variable.
 */
public final class CoreVariables implements VariableCatalog {

  // Choice of the network.

  /** Name of the network to use. */
  public static final Variable<String> NET =
      Variable.text(
          "NCCL_NET",
          "the name of a network, in any case",
          "",
          "Use this network and no other; unset takes the first that works.");

  /** Which plugins are candidates, in order. */
  public static final Variable<String> NET_PLUGIN =
      Variable.text(
          "NCCL_NET_PLUGIN",
          "name[,name...] or none",
          "",
          "External network plugins to try, in this order: names or paths of Java plugins, or of"
              + " native libraries as NCCL finds them; none tries the built-in networks only.");

  /** Where plugins are looked for beside the module and class path. */
  public static final Variable<String> PLUGIN_PATH =
      Variable.text(
          "NITINOL_PLUGIN_PATH",
          "directory[:directory...]",
          "",
          "Directories of plugin jars; each jar is loaded in a module layer of its own.");

  /** Name of the CollNet plugin to use. */
  public static final Variable<String> COLLNET =
      Variable.text(
          "NITINOL_COLLNET",
          "the name of a CollNet plugin, in any case",
          "",
          "Use this CollNet plugin, and with NCCL_COLLNET_ENABLE no other; unset takes the one from"
              + " the same jar as the network, or else the only one whose jar has no network of its"
              + " own if NCCL_COLLNET_ENABLE is set.");

  /** Whether a collective network is used. */
  public static final Variable<Boolean> COLLNET_ENABLE =
      Variable.flag(
          "NCCL_COLLNET_ENABLE",
          false,
          "Reduce between hosts in the network where a CollNet plugin can; all ranks need it.");

  /** The fewest hosts for which a collective network is used. */
  public static final Variable<Integer> COLLNET_NODE_THRESHOLD =
      Variable.integer(
          "NCCL_COLLNET_NODE_THRESHOLD",
          0,
          1 << 20,
          2,
          "Use the collective network from this number of hosts on; rank 0's value counts.");

  /** Whether calls of plugins are checked against the contract. */
  public static final Variable<Integer> VALIDATE =
      Variable.integer(
          "NITINOL_VALIDATE",
          0,
          2,
          0,
          "Check every call of the network plugin against the contract, the plugin's side and the"
              + " caller's: 1 writes a warning for each rule that is broken, 2 also lets the call"
              + " fail, 0 leaves the path as it is. Warnings appear even if NCCL_DEBUG is not"
              + " set.");

  // Log.

  /** How much is logged. */
  public static final Variable<String> DEBUG =
      Variable.choice(
          "NCCL_DEBUG",
          List.of("NONE", "VERSION", "WARN", "INFO", "ABORT", "TRACE"),
          "NONE",
          "How much is logged.");

  /** Which subsystems are logged. */
  public static final Variable<String> DEBUG_SUBSYS =
      Variable.text(
          "NCCL_DEBUG_SUBSYS",
          "[^]name[,name...] of INIT, COLL, P2P, SHM, NET, GRAPH, TUNING, ENV, ALLOC, CALL, PROXY,"
              + " NVLS, BOOTSTRAP, REG, PROFILE, RAS, DESTROY, ALLOC_HOST, ALL",
          "INIT,BOOTSTRAP,ENV",
          "What is logged; with ^ all but these.");

  /** Where the log goes. */
  public static final Variable<String> DEBUG_FILE =
      Variable.text(
          "NCCL_DEBUG_FILE",
          "a file name; %h is the host's name, %p the process id, %% a percent sign",
          "",
          "Append the log to this file; unset or unwritable, it goes to standard error.");

  /** What takes the log. */
  public static final Variable<String> LOG =
      Variable.text(
          "NITINOL_LOG",
          "stderr, or the name of a log sink: slf4j, system",
          "stderr",
          "What takes the log where NCCL_DEBUG_FILE names no file: standard error, or a logging"
              + " framework, for which nitinol-log-bridge has to be on the path. Warnings go there"
              + " also where NCCL_DEBUG is not set.");

  /** How the time is written at the beginning of a line. */
  public static final Variable<String> DEBUG_TIMESTAMP_FORMAT =
      Variable.text(
          "NCCL_DEBUG_TIMESTAMP_FORMAT",
          "text with strftime's %Y, %m, %d, %H, %M, %S, %F, %T, %y, %b, %B, %a, %A, %e, %j, %I, %p,"
              + " %D, %R, %z, %Z, %%; %3f is the fraction of the second in three digits, of 1 to 9",
          "[%F %T] ",
          "How the time is written at the beginning of a line of the log.");

  /** Which lines begin with the time. */
  public static final Variable<String> DEBUG_TIMESTAMP_LEVELS =
      Variable.text(
          "NCCL_DEBUG_TIMESTAMP_LEVELS",
          "[^]level[,level...] of WARN, INFO, ABORT, TRACE, ALL",
          "WARN",
          "The levels whose lines in the log begin with the time; with ^ all but these.");

  // Bootstrap.

  /** Address at which rank 0 listens for the other ranks. */
  public static final Variable<String> COMM_ID =
      Variable.text(
          "NCCL_COMM_ID",
          "host:port, ipv4:port or [ipv6]:port",
          "",
          "Rank 0 listens at this address, which must be its own, and the other ranks meet it"
              + " there; all ranks need the same text.");

  /** The secret of communicators that meet by {@link #COMM_ID}. */
  public static final Variable<String> COMM_SECRET =
      Variable.text(
          "NITINOL_COMM_SECRET",
          "any text",
          "",
          "Keeps strangers out of communicators that meet by NCCL_COMM_ID, whose secret is derived"
              + " from this text and the address alone, and out of perf --server; all ranks need the"
              + " same text.");

  /** Seconds that any wait of the bootstrap may last. */
  public static final Variable<Integer> BOOTSTRAP_TIMEOUT =
      Variable.integer(
          "NITINOL_BOOTSTRAP_TIMEOUT",
          1,
          86_400,
          120,
          "Seconds to wait for other ranks: for all of them to come after the first, and for each"
              + " message while a communicator is set up. For the first to come at all, ten times"
              + " as long. A rank that has reached the root waits up to twice as long for its"
              + " answer, since only the root knows the ranks that are missing. Standard error"
              + " lists the missing ranks after 10 s, then less and less often.");

  // Data path.

  /** Bytes of the slot ring of one connector. */
  public static final Variable<Long> BUFFSIZE =
      Variable.bytes(
          "NCCL_BUFFSIZE",
          4096,
          512L << 20,
          4L << 20,
          "Bytes of buffer between two ranks, for each channel and direction.");

  /** Whether ranks of one process do without reading each other's memory. */
  public static final Variable<Boolean> P2P_DISABLE =
      Variable.flag(
          "NCCL_P2P_DISABLE",
          false,
          "Do not connect ranks of one process by the memory that they have in common, nor devices"
              + " by each other's memory; must be the same for all ranks.");

  /** Whether ranks of one host do without shared memory. */
  public static final Variable<Boolean> SHM_DISABLE =
      Variable.flag(
          "NCCL_SHM_DISABLE",
          false,
          "Do not connect the processes of one host by shared memory, but by the network; must be"
              + " the same for all ranks.");

  /** Where shared memory is. */
  public static final Variable<String> SHM_DIR =
      Variable.text(
          "NITINOL_SHM_DIR",
          "a directory in memory",
          "/dev/shm",
          "Where the processes of one host make the files by which they share memory; the files"
              + " lose their names as soon as all have opened them.");

  /** Identifies the host. */
  public static final Variable<String> HOSTID =
      Variable.text(
          "NCCL_HOSTID",
          "any text",
          "",
          "Processes with the same text count as being on one host, and those with different texts"
              + " as being on different ones; unset uses the host's name and the id of its boot.");

  /** Fewest channels. */
  public static final Variable<Integer> MIN_NCHANNELS =
      Variable.integer(
          "NCCL_MIN_NCHANNELS", 0, 64, 0, "Fewest channels of a communicator; 0 leaves it open.");

  /** Most channels. */
  public static final Variable<Integer> MAX_NCHANNELS =
      Variable.integer(
          "NCCL_MAX_NCHANNELS", 0, 64, 0, "Most channels of a communicator; 0 leaves it open.");

  /** Where what goes from rank to rank is recorded. */
  public static final Variable<String> TRANSFER_LOG =
      Variable.text(
          "NITINOL_TRANSFER_LOG",
          "a path",
          "",
          "Writes every message and every access to another rank's memory to a file for each rank,"
              + " in which %r stands for the rank (without it .RANK is put behind): the list that"
              + " nitinol sim --transfers computes. Slows the run down.");

  // Choice of algorithms.

  /** The names of algorithms in {@link #ALGO}. */
  public static final List<String> ALGORITHMS =
      List.of("tree", "ring", "direct", "doubling", "hierarchy", "CollnetChain", "CollnetDirect");

  /** The names of protocols in {@link #PROTO}. */
  public static final List<String> PROTOCOLS = List.of("ll", "simple");

  /** Which algorithms may be used. */
  public static final Variable<String> ALGO =
      Variable.text(
          "NCCL_ALGO",
          "[^]name[,name...] of "
              + String.join(", ", ALGORITHMS)
              + "; more such lists after semicolons, each behind a collective and a colon, as in"
              + " ring;allreduce:tree,direct",
          "",
          "Algorithms that may be used, with ^ those that may not; unset leaves the choice open.");

  /** Which protocols may be used. */
  public static final Variable<String> PROTO =
      Variable.text(
          "NCCL_PROTO",
          "[^]name[,name...] of " + String.join(", ", PROTOCOLS) + "; more lists as for NCCL_ALGO",
          "",
          "Protocols that may be used, with ^ those that may not; unset leaves the choice open.");

  /** Which tuner plugin is used. */
  public static final Variable<String> TUNER_PLUGIN =
      Variable.text(
          "NCCL_TUNER_PLUGIN",
          "the name of a tuner in any case, the path of a native library, NAME of"
              + " libnccl-tuner-NAME.so, or none",
          "",
          "Let this tuner choose algorithms; unset takes the only one that is found,"
              + " libnccl-tuner.so included, or else the one in the library of the native network"
              + " that is used.");

  /** Which profiler is told about operations. */
  public static final Variable<String> PROFILER_PLUGIN =
      Variable.text(
          "NCCL_PROFILER_PLUGIN",
          "the name of a profiler, in any case, or a native library, or none",
          "",
          "Tell this profiler what communicators do: a Java plugin by its name, or a native library"
              + " as NCCL finds it; unset takes libnccl-profiler.so, the only Java profiler or the"
              + " one in the network's library, if any.");

  /** The time from which a call counts as slow. */
  public static final Variable<Integer> SLOW_CALL =
      Variable.integer(
          "NITINOL_PROFILE_SLOW_CALL_US",
          0,
          1_000_000_000,
          1000,
          "Report a call of the network plugin to the profiler if it takes at least this many"
              + " microseconds; 0 reports every call, each poll for a message included. Calls are"
              + " timed only while a profiler asks for it.");

  /** Where measured costs are kept. */
  public static final Variable<String> COST_CACHE =
      Variable.text(
          "NITINOL_COST_CACHE",
          "a file name, or none",
          "",
          "Keep the measured costs of this machine, by which algorithms are chosen, in this file;"
              + " unset takes one in ~/.cache/nitinol, none measures for each process.");

  /** How threads wait that have nothing to do. */
  public static final Variable<String> IDLE =
      Variable.choice(
          "NITINOL_IDLE",
          List.of("spin", "yield", "park"),
          "park",
          "How far an idle progress or kernel thread backs off: spin only spins, yield spins and"
              + " then yields, park spins, yields and then sleeps for short times.");

  /** Threads that run reductions. */
  public static final Variable<Integer> KERNEL_THREADS =
      Variable.integer(
          "NITINOL_KERNEL_THREADS",
          0,
          64,
          0,
          "Threads of each communicator that run reductions and copies; 0 leaves them to the thread"
              + " that drives the network, which is best where there are as many ranks as"
              + " processors. There are never more than there are channels.");

  /** Threads of the process that take a part of large steps. */
  public static final Variable<Integer> HELPER_THREADS =
      Variable.integer(
          "NITINOL_HELPER_THREADS",
          -1,
          3,
          -1,
          "How many threads of the process help a rank to reduce and copy large buffers in the"
              + " memory of its host; -1 takes one less than the processors that each rank"
              + " of the host has, at most 3, and none with NITINOL_KERNEL_THREADS. One of them also"
              + " sends messages of 16 KiB or more that take long to send, by itself where there are"
              + " 3.");

  /** NCCL's threads of a block, here threads of a communicator. */
  public static final Variable<Integer> NTHREADS =
      Variable.integer(
          "NCCL_NTHREADS",
          0,
          4096,
          0,
          "1 to 63 are the threads of each communicator that run reductions and copies, unless"
              + " NITINOL_KERNEL_THREADS is set; 64 and more are sizes of GPU blocks and mean"
              + " nothing to the threads of a processor.");

  /** Which provider's kernels are used. */
  public static final Variable<String> KERNELS =
      Variable.text(
          "NITINOL_KERNELS",
          "the name of a provider of kernels, in any case",
          "",
          "Reduce host memory with the kernels of this provider; unset takes the fastest that works"
              + " in this process.");

  /** Which kind of device is used. */
  public static final Variable<String> DEVICE =
      Variable.text(
          "NITINOL_DEVICE",
          "the name of a device provider, in any case",
          "",
          "Programs that use device memory get the devices of this provider; unset takes those of"
              + " the greatest priority that work in this process.");

  /** How many connections two ranks exchange device memory over. */
  public static final Variable<Integer> RAIL_CONNECTIONS =
      Variable.integer(
          "NITINOL_RAIL_CONNECTIONS",
          0,
          8,
          0,
          "How many connections two ranks on two hosts exchange device memory over; every one"
              + " beyond the first has a thread, and from three on those carry the large chunks. 0"
              + " takes three where a host has 8 processors for each of its ranks, five where it"
              + " has 16, else one. The smaller number of the two ranks counts.");

  /** Whether the driver is asked about device memory at each call. */
  public static final Variable<Boolean> CHECK_POINTERS =
      Variable.flag(
          "NCCL_CHECK_POINTERS",
          false,
          "Ask the driver at every call whether the device reaches the buffers; off asks once for"
              + " each DeviceBuffer.");

  /** The signal on which a process writes the state of its communicators. */
  public static final Variable<String> DUMP_SIGNAL =
      Variable.choice(
          "NITINOL_DUMP_SIGNAL",
          List.of("none", "USR1", "USR2"),
          "none",
          "Write to standard error, on this signal, where each operation of this process's"
              + " communicators stands; the ranks of nitinol perf and nitinol run do so on USR1"
              + " unless this is set.");

  /** How many operations the flight recorder of each communicator keeps. */
  public static final Variable<Integer> FLIGHT_RECORDER =
      Variable.integer(
          "NITINOL_FLIGHT_RECORDER",
          0,
          1 << 16,
          1024,
          "How many of its last operations each communicator keeps for"
              + " NITINOL_FLIGHT_RECORDER_FILE, rounded up to a power of two of at least 512;"
              + " 0 keeps none.");

  /** Where the flight recorder of each communicator is written. */
  public static final Variable<String> FLIGHT_RECORDER_FILE =
      Variable.text(
          "NITINOL_FLIGHT_RECORDER_FILE",
          "a path",
          "",
          "Keep the last operations of each communicator, and write them and what the rank waits"
              + " for to this file when the communicator fails, on NITINOL_DUMP_SIGNAL and on"
              + " NITINOL_FLIGHT_RECORDER_TRIGGER; nitinol diagnose reads the files. %r stands for"
              + " the rank, %c for the communicator, %p for the process id; without %r .RANK is put"
              + " behind, and without %c a number of the communicator.");

  /** The file that has the flight recorders written when it is touched. */
  public static final Variable<String> FLIGHT_RECORDER_TRIGGER =
      Variable.text(
          "NITINOL_FLIGHT_RECORDER_TRIGGER",
          "a path",
          "",
          "Write the files of NITINOL_FLIGHT_RECORDER_FILE when this file appears or is touched."
              + " The process looks at it twice a second.");

  /** Whether {@code nitinol top} may ask this process. */
  public static final Variable<Boolean> TOP =
      Variable.flag(
          "NITINOL_TOP",
          true,
          "Let nitinol top of the same user ask this process where its communicators stand, by a"
              + " socket in $XDG_RUNTIME_DIR/nitinol, or in nitinol-UID in the directory for"
              + " temporary files; and nitinol top --job on another host, by the port of the"
              + " bootstrap.");

  /** Seconds that an operation may wait without anything moving. */
  public static final Variable<Integer> TIMEOUT =
      Variable.integer(
          "NITINOL_TIMEOUT",
          0,
          Integer.MAX_VALUE,
          30,
          "Seconds that an operation may wait for other ranks without a single message moving and"
              + " without a connection coming forward, before the communicator fails, and seconds"
              + " that one wait for a device's stream may last without seeing a call done, or a"
              + " piece of it on its way through host memory; 0 waits for ever. A rank that finishes"
              + " waits as long for the others, and at least for NITINOL_BOOTSTRAP_TIMEOUT.");

  // Configuration itself.

  /** The user's configuration file. */
  public static final Variable<String> CONF_FILE =
      Variable.text(
          "NCCL_CONF_FILE",
          "a file name",
          "",
          "Read this file of NAME=VALUE lines, of at most 1 MiB, instead of ~/.nccl.conf; the"
              + " environment wins over it, and it over /etc/nccl.conf.");

  /** Creates the catalog, for ServiceLoader. */
  public CoreVariables() {}

  @Override
  public String owner() {
    return "core";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(
        NET,
        NET_PLUGIN,
        PLUGIN_PATH,
        COLLNET,
        COLLNET_ENABLE,
        COLLNET_NODE_THRESHOLD,
        VALIDATE,
        InterfaceSearch.IFNAME,
        InterfaceSearch.FAMILY,
        COMM_ID,
        COMM_SECRET,
        BOOTSTRAP_TIMEOUT,
        BUFFSIZE,
        TRANSFER_LOG,
        P2P_DISABLE,
        SHM_DISABLE,
        SHM_DIR,
        HOSTID,
        MIN_NCHANNELS,
        MAX_NCHANNELS,
        ALGO,
        PROTO,
        TUNER_PLUGIN,
        PROFILER_PLUGIN,
        SLOW_CALL,
        COST_CACHE,
        IDLE,
        KERNEL_THREADS,
        HELPER_THREADS,
        NTHREADS,
        KERNELS,
        DEVICE,
        RAIL_CONNECTIONS,
        CHECK_POINTERS,
        TIMEOUT,
        DUMP_SIGNAL,
        FLIGHT_RECORDER,
        FLIGHT_RECORDER_FILE,
        FLIGHT_RECORDER_TRIGGER,
        TOP,
        DEBUG,
        DEBUG_SUBSYS,
        DEBUG_FILE,
        LOG,
        DEBUG_TIMESTAMP_FORMAT,
        DEBUG_TIMESTAMP_LEVELS,
        CONF_FILE,
        TopologyVariables.TOPO_FILE,
        TopologyVariables.TOPO_DUMP_FILE,
        TopologyVariables.GRAPH_FILE,
        TopologyVariables.GRAPH_DUMP_FILE,
        TopologyVariables.P2P_LEVEL,
        TopologyVariables.NET_GDR_LEVEL,
        TopologyVariables.CROSS_NIC,
        TopologyVariables.IGNORE_CPU_AFFINITY,
        TopologyVariables.PXN_DISABLE,
        TopologyVariables.NVB_DISABLE,
        TopologyVariables.NVLS_ENABLE,
        LaunchVariables.RANK,
        LaunchVariables.SIZE,
        LaunchVariables.LOCAL_RANK,
        LaunchVariables.UNIQUE_ID,
        LaunchVariables.UNIQUE_ID_FILE,
        LaunchVariables.LAUNCHED,
        LaunchVariables.GUARD,
        LaunchVariables.JAVA_OPTS);
  }
}
