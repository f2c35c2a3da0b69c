// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import io.nitinol.spi.config.Variable;
import java.util.List;

/** The variables that tell a process its rank and where it meets the others. */
public final class LaunchVariables {

  /** The number of this process. */
  public static final Variable<String> RANK =
      Variable.text(
          "NITINOL_RANK",
          "a whole number from 0 up",
          "",
          "Which rank this process is; set by nitinol perf and nitinol run.");

  /** How many processes there are. */
  public static final Variable<String> SIZE =
      Variable.text(
          "NITINOL_SIZE",
          "a whole number from 1 up",
          "",
          "How many ranks there are; set by nitinol perf and nitinol run, and by hand for an"
              + " indexed Job of Kubernetes, which does not tell its pods.");

  /** The number of this process on its host. */
  public static final Variable<String> LOCAL_RANK =
      Variable.text(
          "NITINOL_LOCAL_RANK",
          "a whole number from 0 up",
          "",
          "Which rank of its host this process is; set by nitinol perf and nitinol run.");

  /** The id itself. */
  public static final Variable<String> UNIQUE_ID =
      Variable.text(
          "NITINOL_UNIQUE_ID",
          "the text of a unique id",
          "",
          "Where the ranks meet, with the secret they share; set by nitinol perf and nitinol run.");

  /** A file that holds the id. */
  public static final Variable<String> UNIQUE_ID_FILE =
      Variable.text(
          "NITINOL_UNIQUE_ID_FILE",
          "a file name",
          "",
          "Rank 0 writes the unique id to this file and the others read it there; for launchers"
              + " that do not carry it themselves, when NCCL_COMM_ID is not set. The file must not"
              + " exist before, unless a process of rank 0's host wrote it that has ended: then it"
              + " is replaced. Ranks of other hosts cannot tell that, and may take the old id"
              + " first: remove what a killed job of several hosts has left.");

  /** Which command launched this process and reports its failures. */
  public static final Variable<String> LAUNCHED =
      Variable.text(
          "NITINOL_LAUNCHED",
          "the name of a command",
          "",
          "Set by nitinol perf for its own ranks, whose final errors it prints itself; not meant"
              + " to be set by hand.");

  /** What the guard of {@code nitinol run} knows a program by that has just been started. */
  public static final Variable<String> GUARD =
      Variable.text(
          "NITINOL_GUARD",
          "any text",
          "",
          "Set by nitinol run: a process of its own finds a program by it that was being started"
              + " when nitinol run was killed, and kills it; not meant to be set by hand.");

  /** Options for the JVM, which only the script reads that starts it. */
  public static final Variable<String> JAVA_OPTS =
      Variable.text(
          "NITINOL_JAVA_OPTS",
          "options of java, with blanks between them",
          "",
          "Options that ./nitinol adds when it starts the JVM; only in its environment.");

  private LaunchVariables() {}

  /** Returns the declarations, in the order in which they are to be printed. */
  public static List<Variable<?>> all() {
    return List.of(RANK, SIZE, LOCAL_RANK, UNIQUE_ID, UNIQUE_ID_FILE, LAUNCHED, GUARD, JAVA_OPTS);
  }
}
