// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** What a person reads who mistypes something. */
class MessagesTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          "" | nitinol: a command is missing, one of perf, run, plugins, tck, env, doctor (nitinol --help)
          prf | nitinol: there is no command prf; did you mean perf?; the commands are perf, run, plugins, tck, env, doctor (nitinol --help)
          pref | nitinol: there is no command pref; did you mean perf?; the commands are perf, run, plugins, tck, env, doctor (nitinol --help)
          --verison | nitinol: there is no option --verison; did you mean --version? (nitinol --help)
          perf | nitinol perf: missing required parameter: 'OP' (nitinol perf --help)
          perf all_redcue -n 2 | nitinol perf: OP: 'all_redcue' is not in this version, which has all_reduce; did you mean all_reduce? (nitinol perf --help)
          perf broadcast -n 2 | nitinol perf: OP: 'broadcast' is not in this version, which has all_reduce (nitinol perf --help)
          perf all_reduce --iter 5 | nitinol perf: there is no option --iter; did you mean --iters? (nitinol perf --help)
          perf all_reduce -n 2 -g 4 | nitinol perf: there is no option -g (nitinol perf --help)
          perf all_reduce -n two | nitinol perf: invalid value for option '--ranks': 'two' is not an int (nitinol perf --help)
          perf all_reduce -n 0 | nitinol perf: -n 0: expected a number of ranks from 1 to 4096 (nitinol perf --help)
          perf all_reduce -n 2 extra | nitinol perf: too many arguments, from extra on (nitinol perf --help)
          perf all_reduce -n 2 -b 8Z | nitinol perf: invalid value for option '--minbytes': '8Z': expected a number of bytes such as 8, 64K, 1.5M or 1G (nitinol perf --help)
          perf all_reduce -n 2 -o summ | nitinol perf: invalid value for option '--op' (REDUCTION): 'summ' is none of sum, prod, max, min, avg, all; did you mean sum? (nitinol perf --help)
          perf all_reduce -n 2 -b 16 -e 8 | nitinol perf: -b must not be larger than -e (nitinol perf --help)
          perf all_reduce -n 2 -f 2 -i 8 | nitinol perf: -f and -i exclude each other (nitinol perf --help)
          perf all_reduce -n 2 -f 1 | nitinol perf: -f must be 2 or more (nitinol perf --help)
          perf all_reduce -n 2 --iters 0 | nitinol perf: --iters must be 1 or more (nitinol perf --help)
          perf all_reduce -n 2 --json /no/such/file | nitinol perf: --json /no/such/file: not a file in a directory that exists (nitinol perf --help)
          run -n 2 | nitinol run: missing required parameter: 'COMMAND' (nitinol run --help)
          tck | nitinol tck: which plugin? nitinol plugins shows the names; a path has a / in it (nitinol tck --help)
          tck A B | nitinol tck: too many arguments, from B on (nitinol tck --help)
          tck A --rule SEND-01 | nitinol tck: --rule SEND-01: the contract has no such rule; did you mean NET-SEND-01?; nitinol tck --list shows them all (nitinol tck --help)
          tck A --rule NET-CONN-02 | nitinol tck: --rule NET-CONN-02: no kit can test it (caller) (nitinol tck --help)
          tck A --rules NET-CONN-01 | nitinol tck: there is no option --rules; did you mean --rule? (nitinol tck --help)
          tck A --seed x | nitinol tck: invalid value for option '--seed': 'x' is not a long (nitinol tck --help)
          tck A --junit /no/such/file | nitinol tck: --junit /no/such/file: not a file that can be written, in a directory that exists (nitinol tck --help)
          tck /opt/libnccl-net-x.so | nitinol tck: /opt/libnccl-net-x.so is a native library: this version of Nitinol does not run native plugins yet, so that the kit cannot test them either; it takes jars and directories
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
    assertThat(Messages.lowerFirst(text)).isEqualTo(lowered);
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
        .contains("(MessagesTest.java:");
  }

  @Test
  void refusesMoreMemoryThanThereIs() {
    assertThat(execute("perf all_reduce -n 4 -b 1T -e 1T")).isEqualTo(ExitStatus.USAGE);
    assertThat(err.toString())
        .startsWith(
            "nitinol perf: -e 1099511627776 needs two buffers of that size for each of 4 ranks");
  }

  @Test
  void listsOnlyCommandsThatWork() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString())
        .contains("perf ", "run ", "plugins ", "tck ", "env ", "doctor ", "Exit status:")
        .doesNotContain("watchdog", "topo", "sim ", "switch");
  }

  @ParameterizedTest
  @CsvSource({"perf", "run", "plugins", "tck", "env", "doctor"})
  void explainsEachCommand(String command) {
    assertThat(execute(command + " --help")).isZero();
    assertThat(out.toString()).contains("Usage: nitinol " + command);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void tellsItsVersion() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).matches("nitinol \\S+\nJava 25.*\n");
  }

  private int execute(String arguments) {
    CommandLine command = Main.commandLine();
    command.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    List<String> words = arguments.isEmpty() ? List.of() : List.of(arguments.split(" +", -1));
    return command.execute(words.toArray(String[]::new));
  }
}
