// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

/** Files of runs, as programs of several releases write them. */
final class RunSamples {
  /** As {@code nitinol perf --json}: two sizes, the second one not steady and wrong. */
  static final String OURS =
      """
      {
        "format" : 1,
        "program" : "all_reduce_perf",
        "start_time" : "2026-01-02T03:04:05Z",
        "versions" : { "nitinol" : "0.1.0", "platform" : "Java 25 (X), Linux 6 amd64", "cores" : 2 },
        "args" : [ "perf", "all_reduce", "-n", "2", "--json", "it's.json" ],
        "env" : { "NCCL_BUFFSIZE" : "1M", "NITINOL_RANK" : "0", "NITINOL_UNIQUE_ID" : "(hidden)",
                  "NITINOL_COMM_SECRET" : "(hidden)" },
        "config" : { "network" : "Socket (v12): lo", "threads" : false, "devices" : [
          { "rank" : 0, "hostname" : "node1", "device_info" : "scalar" },
          { "rank" : 1, "hostname" : "node2", "device_info" : "scalar" } ] },
        "results" : [
          { "size" : 8, "count" : 2, "type" : "float", "redop" : "sum", "root" : "-1",
            "out_of_place" : { "time" : 20.0, "cpu_time" : 1.0, "alg_bw" : 0.0004, "bus_bw" : 0.0004,
                               "steady" : true, "nwrong" : 0 },
            "in_place" : null },
          { "size" : 1024, "count" : 256, "type" : "float", "redop" : "sum", "root" : "-1",
            "out_of_place" : { "time" : 40.25, "alg_bw" : 0.02544, "bus_bw" : 0.02544,
                               "steady" : false, "nwrong" : 3 },
            "in_place" : { "time" : 30.5, "alg_bw" : 0.03357, "bus_bw" : 0.03357, "nwrong" : null } } ]
      }
      """;

  /** As nccl-tests' {@code -J}: the whole environment, and the program in the arguments. */
  static final String NCCL_JSON =
      """
      {"version":1,"start_time":"2026-01-02 03:04:05","args":["./build/all_reduce_perf_mpi","-b","8"],
       "env":["HOME=/root","TOKEN=topsecret","NCCL_DEBUG=WARN","NITINOL_COMM_SECRET=topsecret","none"],
       "nccl_version":22807,
       "config":{"nthreads":1,"devices":[{"rank":0,"hostname":"n1","device_info":"NVIDIA H100"}]},
       "results":[{"size":8,"count":2,"type":"float","redop":"sum","root":"    -1",
         "out_of_place":{"cpu_time":10,"alg_bw":0.001,"bus_bw":0.001,"nwrong":0},
         "in_place":{"cpu_time":12,"alg_bw":0.001,"bus_bw":0.001,"nwrong":0}}]}
      """;

  /** As nccl-tests 2.17 prints it, with a line of NCCL's log. */
  static final String NCCL =
      """
      # nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807
      # Collective test starting: all_reduce_perf
      #
      # Using devices
      #  Rank  0 Group  0 Pid   4711 on      node1 device  0 [0000:1b:00] NVIDIA H100
      #
      #                                                              out-of-place                       in-place
      #       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
      node1:4711:4711 [0] NCCL INFO Bootstrap : Using lo:127.0.0.1<0>
                 8             2     float     sum      -1    10.00    0.00    0.00       0     9.50    0.00    0.00       0
              1024           256     float     sum      -1    16.10    0.06    0.06       0    15.25    0.07    0.07     N/A
      # Out of bounds values : 0 OK
      # Avg bus bandwidth    : 0.0325
      """;

  private RunSamples() {}
}
