// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** What a person reads who mistypes something. */
class CommandMessagesTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          "" | nitinol: a command is missing, one of perf, compare, run, plugins, topo, sim, tck, switch, env, doctor, diagnose, top, trace, completion (nitinol --help)
          prf | nitinol: there is no command prf; did you mean perf?; the commands are perf, compare, run, plugins, topo, sim, tck, switch, env, doctor, diagnose, top, trace, completion (nitinol --help)
          pref | nitinol: there is no command pref; did you mean perf?; the commands are perf, compare, run, plugins, topo, sim, tck, switch, env, doctor, diagnose, top, trace, completion (nitinol --help)
          --verison | nitinol: there is no option --verison; did you mean --version? (nitinol --help)
          perf | nitinol perf: missing required parameter: 'OP' (nitinol perf --help)
          perf all_redcue -n 2 | nitinol perf: OP: 'all_redcue' is none of all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, alltoallv, gather, scatter, sendrecv, allgatherv, gatherv, scatterv, barrier; did you mean all_reduce? (nitinol perf --help)
          perf hypercube -n 2 | nitinol perf: OP: 'hypercube' is none of all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, alltoallv, gather, scatter, sendrecv, allgatherv, gatherv, scatterv, barrier (nitinol perf --help)
          perf all_gather -n 2 -o max | nitinol perf: -o goes with all_reduce, reduce_scatter and reduce: all_gather reduces nothing (nitinol perf --help)
          perf alltoall_perf -n 2 -r 1 | nitinol perf: -r goes with broadcast, reduce, gather, scatter, gatherv and scatterv: alltoall has no root (nitinol perf --help)
          perf gather -n 2 -r 2 | nitinol perf: -r 2: with 2 ranks the last one is 1 (nitinol perf --help)
          perf gather -n 2 -r -1 | nitinol perf: invalid value for option '-r': '-1': expected a rank from 0 up, or all (nitinol perf --help)
          perf all_reduce -n 2 -z 4 | nitinol perf: -z must be from 0 to 3 (nitinol perf --help)
          perf all_reduce -n 2 -a 5 | nitinol perf: -a must be from 0 to 3 (nitinol perf --help)
          perf all_reduce -n 2 -C 2 | nitinol perf: -C must be from 0 to 1 (nitinol perf --help)
          perf all_reduce -n 2 -m 0 | nitinol perf: -m must be 1 or more (nitinol perf --help)
          perf all_reduce -n 2 -u 512 | nitinol perf: -u must be from 0 to 511 (nitinol perf --help)
          perf all_reduce -n 2 -N 0 -J x.json | nitinol perf: --json needs an end: it does not go with -N 0 (nitinol perf --help)
          perf all_reduce -n 2 -b 9223372036854775807 -e 9223372036854775807 | nitinol perf: -e 9223372036854775807 is too large: at most 1125899906842624 bytes can be measured (nitinol perf --help)
          perf barrier -n 2 -b 8 | nitinol perf: barrier moves no data: -b does not go with it (nitinol perf --help)
          perf barrier -n 2 --datatype half | nitinol perf: barrier moves no data: -t does not go with it (nitinol perf --help)
          perf barrier -n 2 --device cpu | nitinol perf: barrier has no form for memory of devices: --device does not go with it (nitinol perf --help)
          perf alltoallv -n 2 --matrix /dev/zero | nitinol perf: --matrix /dev/zero: it is not a regular file, and several processes read it (nitinol perf --help)
          perf alltoallv -n 2 --matrix-scale -1 | nitinol perf: --matrix-scale goes with --matrix (nitinol perf --help)
          perf alltoallv -n 2 --spread 2 | nitinol perf: --spread must be a number from 0 to 1 (nitinol perf --help)
          perf alltoallv -n 2 --matrix /no/such | nitinol perf: --matrix /no/such: there is no such file (nitinol perf --help)
          perf all_reduce -n 2 --rate | nitinol perf: --rate goes with sendrecv: all_reduce is no message from one rank to another (nitinol perf --help)
          perf sendrecv -n 3 --rate | nitinol perf: --rate with 3 ranks: expected an even number, since each rank of the first half sends to one of the second (nitinol perf --help)
          perf sendrecv -n 2 --rate --window 0 | nitinol perf: --window 0: expected a number from 1 to 10000 (nitinol perf --help)
          perf sendrecv -n 2 --rate -m 4 | nitinol perf: -m does not go with --rate (nitinol perf --help)
          perf sendrecv -n 2 --rate --device cpu | nitinol perf: --device does not go with --rate (nitinol perf --help)
          perf sendrecv -n 2 --window 4 | nitinol perf: --window goes with --rate and --pairs: it is how many messages are under way (nitinol perf --help)
          perf sendrecv -n 2 --bidirectional | nitinol perf: --bidirectional goes with --rate: each rank of sendrecv sends and receives at a time anyway (nitinol perf --help)
          perf broadcast -n 2 --pairs | nitinol perf: --pairs goes with sendrecv: broadcast is no message from one rank to another (nitinol perf --help)
          perf sendrecv -n 1 --pairs | nitinol perf: --pairs with 1 rank: expected 2 or more (nitinol perf --help)
          perf sendrecv -n 2 --pairs --csv x.csv | nitinol perf: --csv does not go with --pairs (nitinol perf --help)
          perf sendrecv -n 2 --pairs --rate | nitinol perf: --rate does not go with --pairs (nitinol perf --help)
          perf sendrecv -n 2 --pairs -b 8 -e 64 | nitinol perf: -b 8 and -e 64: --pairs measures one size; give one of the two (nitinol perf --help)
          perf sendrecv -n 2 --pairs -t all | nitinol perf: -t all: --pairs measures one size, and so expects one type (nitinol perf --help)
          perf all_reduce -n 2 --seconds 5 | nitinol perf: --seconds goes with --interval: otherwise --iters says how much to measure (nitinol perf --help)
          perf all_reduce -n 2 --interval 0 | nitinol perf: --interval 0.0: expected a number from 0.1 to 10000000 (nitinol perf --help)
          perf all_reduce -n 2 --interval 2 --seconds 1 | nitinol perf: --interval 2.0: expected a number from 0.1 to the 1.0 of --seconds (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 --seconds -1 | nitinol perf: --seconds -1.0: expected more than 0 and at most 10000000 (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 --seconds NaN | nitinol perf: --seconds NaN: expected more than 0 and at most 10000000 (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 -o all | nitinol perf: -o all: --interval measures one size, and so expects one operator (nitinol perf --help)
          perf broadcast -n 2 --interval 1 -r all | nitinol perf: -r all: --interval measures one size, and so expects one root (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 -b 4096T | nitinol perf: -b 4503599627370496 is too large: at most 1125899906842624 bytes can be measured (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 -e 4096T | nitinol perf: -e 4503599627370496 is too large: at most 1125899906842624 bytes can be measured (nitinol perf --help)
          perf all_reduce -n 2 -b 128M | nitinol perf: -b 134217728 is larger than the largest size of 67108864: -e says another one (nitinol perf --help)
          perf sendrecv --server 70000 | nitinol perf: --server 70000: expected a port from 0 to 65535 (nitinol perf --help)
          perf sendrecv --server x | nitinol perf: invalid value for option '--server': 'x' is not an int (nitinol perf --help)
          perf sendrecv --server -b 8 | nitinol perf: -b does not go with --server: --connect on the other host says what to measure (nitinol perf --help)
          perf sendrecv --server -J x.json | nitinol perf: -J does not go with --server: --connect on the other host says what to measure (nitinol perf --help)
          perf sendrecv --server --connect node1 | nitinol perf: --server and --connect exclude each other: one host has the one, the other host the other (nitinol perf --help)
          perf sendrecv --connect node1 -n 2 | nitinol perf: -n does not go with --connect: there is one rank on each host (nitinol perf --help)
          perf sendrecv --connect node1 --threads | nitinol perf: --threads does not go with --connect: there is one rank on each host (nitinol perf --help)
          perf sendrecv --connect node1:x | nitinol perf: --connect node1:x: expected host:port, ipv4:port or [ipv6]:port, with a port from 1 to 65535; or without the port, which is 29512 then (nitinol perf --help)
          perf sendrecv --connect node1:0 | nitinol perf: --connect node1:0: expected host:port, ipv4:port or [ipv6]:port, with a port from 1 to 65535; or without the port, which is 29512 then (nitinol perf --help)
          perf all_reduce -n 2 --histogram x.hlog | nitinol perf: --histogram goes with --percentiles and --interval: otherwise no operation is timed by itself (nitinol perf --help)
          perf sendrecv -n 2 --pairs --histogram x.hlog | nitinol perf: --histogram does not go with --pairs (nitinol perf --help)
          perf sendrecv -n 2 --rate --percentiles | nitinol perf: --percentiles does not go with --rate (nitinol perf --help)
          perf all_reduce -n 2 --interval NaN | nitinol perf: --interval NaN: expected a number from 0.1 to 10000000 (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 --iters 5 | nitinol perf: --iters does not go with --interval (nitinol perf --help)
          perf all_reduce -n 2 --interval 1 -b 8 -e 64 | nitinol perf: -b 8 and -e 64: --interval measures one size; give one of the two (nitinol perf --help)
          perf sendrecv -n 2 --interval 1 --pairs | nitinol perf: --pairs does not go with --interval (nitinol perf --help)
          perf alltoall -n 2 --spread 0.5 | nitinol perf: --spread, --matrix and --matrix-scale go with alltoallv (nitinol perf --help)
          perf all_reduce -n 2 -G 1 | nitinol perf: --graph goes with --device: there are no graphs of operations on host memory (nitinol perf --help)
          perf all_reduce -n 2 -R | nitinol perf: --register goes with --device: of host memory the network registers what it needs by itself (nitinol perf --help)
          perf all_reduce -n 4 --device cpu -g 3 | nitinol perf: -n 4 ranks cannot be divided among processes of 3 (-g); expected a multiple of 3 (nitinol perf --help)
          perf all_reduce -n 4 --device cpu -g 0 | nitinol perf: -g must be 1 or more (nitinol perf --help)
          perf all_reduce -n 4 --device cpu -g 2 --threads | nitinol perf: -g says how many ranks are threads of one process, and --threads makes all of them so: give one of the two (nitinol perf --help)
          perf all_reduce -n 2 --device cpu -G -1 | nitinol perf: --graph -1: expected a number from 0 to 1000000 (nitinol perf --help)
          perf all_reduce -n 2 --device cpu -G 1 -z | nitinol perf: --graph launches all iterations as one: -z and --percentiles do not go with it (nitinol perf --help)
          perf all_reduce -n 2 --device cpu -G 1 --percentiles | nitinol perf: --graph launches all iterations as one: -z and --percentiles do not go with it (nitinol perf --help)
          perf all_reduce -n 2 --percentiles --iters 10001 | nitinol perf: --percentiles keeps the time of each iteration, so --iters must be at most 10000 (nitinol perf --help)
          perf all_reduce -n 2 --device cpu -R 3 | nitinol perf: --register must be from 0 to 2 (nitinol perf --help)
          perf all_reduce -n 2 --device= | nitinol perf: --device: expected the name of a provider (nitinol perf --help)
          perf all_reduce -n 2 --devices cpu | nitinol perf: there is no option --devices; did you mean --device? (nitinol perf --help)
          perf all_reduce --device cpu | nitinol perf: how many ranks? give -n RANKS, or start one process per rank with mpirun, srun or torchrun (looked for NITINOL_RANK, RANK, OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID, JOB_COMPLETION_INDEX) (nitinol perf --help)
          perf all_reduce -n 2 -T 10 | nitinol perf: -T of nccl-tests does not exist here: a run in which nothing moves ends by itself; NITINOL_TIMEOUT says after how long (nitinol perf --help)
          perf all_reduce -n 2 -t 4 | nitinol perf: invalid value for option '-t' (TYPE): '4' is none of int8, uint8, int32, uint32, int64, uint64, half, float, double, bfloat16, f8e4m3, f8e5m2, all (nitinol perf --help)
          perf all_reduce --iter 5 | nitinol perf: there is no option --iter; did you mean --iters or --agg_iters or --warmup_iters? (nitinol perf --help)
          perf all_reduce --ier 5 | nitinol perf: there is no option --ier; did you mean --iters? (nitinol perf --help)
          perf all_reduce -n 2 -g 4 | nitinol perf: -g goes with --device: on host memory a rank is a process, or a thread with --threads; -n says how many (nitinol perf --help)
          perf all_reduce -n two | nitinol perf: invalid value for option '-n': 'two' is not an int (nitinol perf --help)
          perf all_reduce -n 0 | nitinol perf: -n 0: expected a number of ranks from 1 to 4096 (nitinol perf --help)
          perf all_reduce -n 2 extra | nitinol perf: too many arguments, from extra on (nitinol perf --help)
          switch | nitinol switch: missing required option: '--listen=HOST:PORT' (nitinol switch --help)
          switch --listen 7777 | nitinol switch: invalid value for option '--listen': '7777': expected host:port, ipv4:port or [ipv6]:port, with a port from 0 to 65535 (nitinol switch --help)
          switch --listen 127.0.0.1:70000 | nitinol switch: invalid value for option '--listen': '127.0.0.1:70000': expected host:port, ipv4:port or [ipv6]:port, with a port from 0 to 65535 (nitinol switch --help)
          switch --listen no.such.host.invalid:7777 | nitinol switch: invalid value for option '--listen': 'no.such.host.invalid:7777': the host "no.such.host.invalid" is not known (nitinol switch --help)
          switch --listen 127.0.0.1:7777 --parent 127.0.0.1:7777 | nitinol switch: --parent 127.0.0.1:7777 is this switch itself (--listen) (nitinol switch --help)
          switch --listen 127.0.0.1:0 --parent 127.0.0.1:0 | nitinol switch: invalid value for option '--parent': '127.0.0.1:0': expected host:port, ipv4:port or [ipv6]:port, with a port from 1 to 65535 (nitinol switch --help)
          switch --listen 192.0.2.1:7777 | nitinol switch: --listen 192.0.2.1:7777 can be reached by other hosts: give --secret FILE, the same to all ranks (NITINOL_COLLNET_SECRET) and switches, or --open to serve everybody (nitinol switch --help)
          switch --listen 127.0.0.1:0 --threads 100000 | nitinol switch: --threads: 100000 threads, expected at most 1024 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --group-memory 64 | nitinol switch: --group-memory: 64 bytes of memory for a group, expected at least 65536 (nitinol switch --help)
          switch --listen [::1]:0 --radix 0 | nitinol switch: --radix: 0 children of a group, expected at least 1 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --radix 999999999 | nitinol switch: --radix: 999999999 children of a group, expected at most 4096 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --max-groups -5 | nitinol switch: --max-groups: -5 groups, expected at least 1 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --secret /dev/null | nitinol switch: the secret of the switch (NITINOL_COLLNET_SECRET, or --secret) cannot be read from /dev/null: it is empty (nitinol switch --help)
          switch --listen 127.0.0.1:0 --secret /dev/zero | nitinol switch: the secret of the switch (NITINOL_COLLNET_SECRET, or --secret) cannot be read from /dev/zero: it has more than 65536 bytes (nitinol switch --help)
          switch --listen 127.0.0.1:0 --secret /no/such | nitinol switch: --secret /no/such: there is no such file (nitinol switch --help)
          switch --listen 127.0.0.1:0 --segment 1000 | nitinol switch: --segment: 1000 bytes in a segment, expected a power of two from 4096 to 16777216 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --stats lo:x | nitinol switch: invalid value for option '--stats': 'lo:x': expected host:port, ipv4:port or [ipv6]:port, with a port from 0 to 65535; or a port alone, of 127.0.0.1 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --stats 99999 | nitinol switch: invalid value for option '--stats': '99999': expected host:port, ipv4:port or [ipv6]:port, with a port from 0 to 65535; or a port alone, of 127.0.0.1 (nitinol switch --help)
          switch --listen 127.0.0.1:0 --stats abc | nitinol switch: invalid value for option '--stats': 'abc': expected host:port, ipv4:port or [ipv6]:port, with a port from 0 to 65535; or a port alone, of 127.0.0.1 (nitinol switch --help)
          perf all_reduce -n 2 -b 8Z | nitinol perf: invalid value for option '-b': '8Z': expected a number of bytes such as 8, 64K, 1.5M or 1G (nitinol perf --help)
          perf all_reduce -n 2 -b8x | nitinol perf: invalid value for option '-b': '8x': expected a number of bytes such as 8, 64K, 1.5M or 1G (nitinol perf --help)
          perf all_reduce -n 2 --minbytes=8x | nitinol perf: invalid value for option '--minbytes': '8x': expected a number of bytes such as 8, 64K, 1.5M or 1G (nitinol perf --help)
          perf all_reduce -n 2 -o summ | nitinol perf: invalid value for option '-o' (REDUCTION): 'summ' is none of sum, prod, max, min, avg, mulsum, all; did you mean sum? (nitinol perf --help)
          perf all_reduce -n 2 -b 16 -e 8 | nitinol perf: -b must not be larger than -e (nitinol perf --help)
          perf all_reduce -n 2 -f 2 -i 8 | nitinol perf: -f and -i exclude each other (nitinol perf --help)
          perf all_reduce -n 2 -b 0 -f 64 -e 256K | nitinol perf: -b 0 goes with -i or with -e 0: 0 bytes times a factor (-f) would stay 0 (nitinol perf --help)
          perf all_reduce -n 2 -b 0 | nitinol perf: -b 0 goes with -i or with -e 0: 0 bytes times a factor (-f) would stay 0 (nitinol perf --help)
          perf all_reduce -n 2 -f 1 | nitinol perf: -f must be 2 or more (nitinol perf --help)
          perf all_reduce -n 2 --iters 0 | nitinol perf: --iters must be 1 or more (nitinol perf --help)
          perf all_reduce -n 2 --json /no/such/file | nitinol perf: --json /no/such/file: cannot be written: there is no directory /no (nitinol perf --help)
          perf all_reduce -n 2 --csv /no/such/file | nitinol perf: --csv /no/such/file: cannot be written: there is no directory /no (nitinol perf --help)
          perf all_reduce -n 2 --report /no/such/file | nitinol perf: --report /no/such/file: cannot be written: there is no directory /no (nitinol perf --help)
          perf all_reduce -n 2 -N 0 --csv x.csv | nitinol perf: --csv needs an end: it does not go with -N 0 (nitinol perf --help)
          compare | nitinol compare: missing required parameter: 'FILE' (nitinol compare --help)
          compare a.json --report /no/such/file | nitinol compare: --report /no/such/file: cannot be written: there is no directory /no (nitinol compare --help)
          compare 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 | nitinol compare: 17 files; expected at most 16 (nitinol compare --help)
          run -n 2 | nitinol run: missing required parameter: 'COMMAND' (nitinol run --help)
          tck | nitinol tck: which plugin? nitinol plugins shows the names; a path has a / in it (nitinol tck --help)
          tck A B | nitinol tck: too many arguments, from B on (nitinol tck --help)
          tck A --rule SEND-01 | nitinol tck: --rule SEND-01: the contract has no such rule; did you mean NET-SEND-01?; nitinol tck --list shows them all (nitinol tck --help)
          tck A --rule NET-CONN-02 | nitinol tck: --rule NET-CONN-02: no kit can test it (caller) (nitinol tck --help)
          tck A --rules NET-CONN-01 | nitinol tck: there is no option --rules; did you mean --rule? (nitinol tck --help)
          tck A --seed x | nitinol tck: invalid value for option '--seed': 'x' is not a long (nitinol tck --help)
          tck A --junit /no/such/file | nitinol tck: --junit /no/such/file: cannot be written: there is no directory /no (nitinol tck --help)
          plugins now | nitinol plugins: too many arguments, from now on (nitinol plugins --help)
          env --json --markdown | nitinol env: --json and --markdown exclude each other (nitinol env --help)
          """)
  void saysInOneSentenceWhatIsWrong(String arguments, String sentence) {
    assertThat(execute(arguments)).isEqualTo(ExitStatus.USAGE);
    assertThat(err.toString()).isEqualTo(sentence + "\n");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Missing OP, missing OP",
    "NITINOL_RANK=x: expected, NITINOL_RANK=x: expected",
    "-n 0: expected, -n 0: expected",
    "X, X",
    "'', ''"
  })
  void keepsTheNamesOfVariables(String text, String lowered) {
    assertThat(CommandMessages.lowerFirst(text)).isEqualTo(lowered);
  }

  @Test
  void saysWhichErrorCameThrough() {
    Callable<Integer> broken =
        () -> {
          throw new StackOverflowError("too deep");
        };
    CommandLine command = new CommandLine(CommandSpec.wrapWithoutInspection(broken));
    command.setErr(new PrintWriter(err, true));
    assertThat(Main.execute(command)).isEqualTo(ExitStatus.INTERNAL);
    assertThat(err.toString())
        .startsWith("nitinol: a defect, please report it: java.lang.StackOverflowError: too deep\n")
        .contains("(CommandMessagesTest.java:");
  }

  /** What went wrong may do so again while it is told. */
  @ParameterizedTest
  @CsvSource({"OutOfMemoryError, 2", "StackOverflowError, 5", "NoClassDefFoundError, 5"})
  void anErrorThatCannotEvenBeToldHasItsStatus(String name, int status) throws Exception {
    Error error =
        (Error) Class.forName("java.lang." + name).getConstructor(String.class).newInstance("x");
    Callable<Integer> broken =
        () -> {
          throw error;
        };
    CommandLine command = new CommandLine(CommandSpec.wrapWithoutInspection(broken));
    command.setErr(
        new PrintWriter(
            new StringWriter() {
              @Override
              public void write(String text, int from, int length) {
                throw error;
              }
            }));
    assertThat(Main.execute(command)).isEqualTo(status);
  }

  /** Of {@code perf --threads}: with processes that rank's status is the job's. */
  @Test
  void aRankThatIsAThreadOfThisProcessHasNotDied() {
    Callable<Integer> failing =
        () -> {
          throw new CommException(ResultCode.REMOTE_ERROR, 1, "rank 1 failed", null);
        };
    CommandLine command = new CommandLine(CommandSpec.wrapWithoutInspection(failing));
    command.setExecutionExceptionHandler(new CommandMessages());
    command.setErr(new PrintWriter(err, true));
    assertThat(Main.execute(command)).isEqualTo(ExitStatus.TRANSPORT);
    assertThat(err.toString()).endsWith(": rank 1 failed\n");
  }

  /** The JVM gives it to whoever touches the file system first, as an Error then. */
  @Test
  void aLackOfDescriptorsIsNoDefect() {
    Callable<Integer> starved =
        () -> {
          throw new ExceptionInInitializerError(new IOException("Too many open files"));
        };
    CommandLine command = new CommandLine(CommandSpec.wrapWithoutInspection(starved));
    command.setErr(new PrintWriter(err, true));
    assertThat(Main.execute(command)).isEqualTo(ExitStatus.TRANSPORT);
    assertThat(err.toString())
        .matches(
            "nitinol: there are too many open files for the limit of this process; raise the limit"
                + " of open files \\(ulimit -n, now \\d+\\), or start fewer ranks\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'cannot connect to peer: Too many open files', true",
    "'posix_spawn failed, error: 24 (Too many open files)', true",
    "'error=24, no process', true",
    "'no route to host', false",
    "'error: 240', false",
  })
  void whoLacksDescriptorsIsToldWhatRaisesTheirNumber(String message, boolean advised) {
    Callable<Integer> failing =
        () -> {
          throw new CommandFailure(ExitStatus.TRANSPORT, message);
        };
    CommandLine command = new CommandLine(CommandSpec.wrapWithoutInspection(failing));
    command.setExecutionExceptionHandler(new CommandMessages());
    command.setErr(new PrintWriter(err, true));
    assertThat(Main.execute(command)).isEqualTo(ExitStatus.TRANSPORT);
    assertThat(err.toString()).contains(message);
    assertThat(err.toString().contains("ulimit -n")).isEqualTo(advised);
  }

  @Test
  void refusesMoreMemoryThanThereIs() {
    assertThat(execute("perf all_reduce -n 4 -b 1T -e 1T")).isEqualTo(ExitStatus.USAGE);
    assertThat(err.toString())
        .startsWith(
            "nitinol perf: -e 1099511627776 needs 2199023271936 bytes of buffers for each of 4"
                + " ranks, and only ");
    // A quarter for what each rank sends, the whole for what it receives.
    assertThat(execute("perf all_gather -n 4 -b 1T -e 1T")).isEqualTo(ExitStatus.USAGE);
    assertThat(err.toString()).contains("-e 1099511627776 needs 1374389551104 bytes of buffers");
  }

  /** The option that was given is named, and none that was not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sendrecv --pairs -b 1T | -b 1099511627776 needs
          sendrecv --pairs -e 1T | -e 1099511627776 needs
          all_reduce -n 4 --interval 1 -b 1T | -b 1099511627776 needs
          sendrecv --pairs --window 10000 -n 4000 | the size of 65536 (-b says another one) needs
          sendrecv --rate --window 10000 | the largest size of 1048576 (-e says another one) needs
          """)
  void refusesMoreMemoryByTheOptionThatWasGiven(String arguments, String beginning) {
    String ranks = arguments.contains("-n") ? "" : " -n 1000";
    assertThat(execute("perf " + arguments + ranks)).isEqualTo(ExitStatus.USAGE);
    assertThat(err.toString()).startsWith("nitinol perf: " + beginning);
  }

  @Test
  void listsOnlyCommandsThatWork() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "perf ",
            "compare ",
            "run ",
            "plugins ",
            "topo ",
            "sim ",
            "tck ",
            "switch ",
            "env ",
            "doctor ",
            "Exit status:")
        .doesNotContain("watchdog");
  }

  @ParameterizedTest
  @CsvSource({
    "perf",
    "compare",
    "run",
    "plugins",
    "topo",
    "tck",
    "switch",
    "env",
    "doctor",
    "completion"
  })
  void explainsEachCommand(String command) {
    assertThat(execute(command + " --help")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("Usage: nitinol " + command);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 100);
    String byOption = out.toString();
    out.getBuffer().setLength(0);
    assertThat(execute("help " + command)).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualTo(byOption);
  }

  @Test
  void tellsItsVersion() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).matches("nitinol \\S+\nJava 25.*\n");
  }

  /** What is left out costs no time; what has to know all commands has them. */
  @Test
  void onlyTheCommandThatIsNamedIsRead() {
    assertThat(commands("perf", "--help")).containsExactlyInAnyOrder("perf", "help");
    for (String first : List.of("--help", "help", "completion", "prf")) {
      assertThat(commands(first)).as(first).hasSizeGreaterThan(15).contains("perf", "tck");
    }
    assertThat(commands()).isEqualTo(Main.commandLine().getSubcommands().keySet());
  }

  private static Set<String> commands(String... words) {
    return Main.commandLine(words).getSubcommands().keySet();
  }

  private int execute(String arguments) {
    String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" +", -1);
    CommandLine command = Main.commandLine(words);
    command.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(words);
  }
}
