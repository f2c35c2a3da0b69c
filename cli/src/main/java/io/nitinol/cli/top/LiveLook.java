// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.core.live.LiveProcess;
import io.nitinol.core.live.LiveRequest;
import io.nitinol.core.shm.ProcessName;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all processes of this user at one time, and with {@code --job} those of the other
 * ranks of their communicators, wherever these are.
 */
final class LiveLook {
  /** How long all processes together get. A process that works answers within milliseconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** How many processes elsewhere are asked at the same time. */
  private static final int AT_ONCE = 256;

  /** How many bytes all processes elsewhere may answer at one look. */
  private static final long MOST_BYTES = 64 << 20;

  private static final String SENT_NO_ANSWER = "has sent what is no answer: ";

  private static final String TOO_OLD =
      "its Nitinol is too old for top --job: of its communicators only the ranks here are shown";

  /**
   * A process that has not answered.
   *
   * @param pid its number; 0 where it is not known
   * @param asked which process of another host, or out of this host's sight, it is; null: one here
   * @param place where that one is
   * @param why to follow its name
   */
  record Silent(long pid, JobMembers.@Nullable Asked asked, String place, String why) {
    @Override
    public String toString() {
      return asked == null
          ? "process " + pid + " " + why
          : ErrorText.of(
              "the process of %s of communicator %s, on %s, %s",
              asked.ranks().size() == 1
                  ? "rank " + asked.members().firstKey()
                  : ErrorText.of(
                      "%d ranks from %d to %d",
                      asked.ranks().size(), asked.members().firstKey(), asked.members().lastKey()),
              asked.communicator(),
              place,
              why);
    }
  }

  /** The answers of one process to what it was asked. */
  private static final class Answers {
    final byte[] state;
    final byte @Nullable [] job;

    Answers(byte[] state, byte @Nullable [] job) {
      this.state = state;
      this.job = job;
    }
  }

  private final long nanos;
  private final @Nullable JobMembers job;
  private final List<LiveRank> ranks = new ArrayList<>();
  private final SortedMap<String, Silent> silent = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> here = new HashSet<>();
  private final Set<String> heard = new HashSet<>();
  private int processes;

  private final Duration patience;

  private LiveLook(long nanos, @Nullable JobMembers job, Duration patience) {
    this.nanos = nanos;
    this.job = job;
    this.patience = patience;
  }

  /** A look at a time that found these ranks and nothing else. */
  static LiveLook of(long nanos, List<LiveRank> ranks) {
    LiveLook look = new LiveLook(nanos, null, PATIENCE);
    look.ranks.addAll(ranks);
    return look;
  }

  /**
   * Asks all processes, side by side.
   *
   * @param directory where the processes of this host are; null: these are not asked
   * @param job what is known of the communicators' other ranks; null: these are not asked
   * @throws CommandFailure where no directory can be looked into
   */
  static LiveLook take(@Nullable LiveDirectory directory, @Nullable JobMembers job)
      throws InterruptedException {
    return take(directory, job, PATIENCE);
  }

  /** The same, for a machine on which a process that works may need longer. */
  static LiveLook take(
      @Nullable LiveDirectory directory, @Nullable JobMembers job, Duration patience)
      throws InterruptedException {
    if (job != null) {
      enter(job);
    }
    LiveLook look = new LiveLook(System.nanoTime(), job, patience);
    if (directory != null) {
      look.askHere(look.processes(directory));
    }
    if (job != null) {
      look.askElsewhere(job);
    }
    return look;
  }

  /** Asks the rank that a user has named where all are, unless that is known. */
  private static void enter(JobMembers job) throws InterruptedException {
    JobEntrance entrance = job.entrance();
    if (entrance != null && job.isEmpty()) {
      byte[] answer = entrance.members(new AtomicLong(MOST_BYTES));
      try {
        job.learn(answer, entrance.key());
      } catch (IOException e) {
        throw entrance.failure(SENT_NO_ANSWER + ErrorText.reason(e));
      }
    }
  }

  private List<LiveProcess> processes(LiveDirectory directory) {
    try {
      return directory.processes(problems::add);
    } catch (IOException e) {
      throw CommandFailure.usage(ErrorText.reason(e));
    }
  }

  private void askHere(List<LiveProcess> found) throws InterruptedException {
    List<LiveProcess> asked = new ArrayList<>();
    ProcessName self = ProcessName.self();
    for (LiveProcess process : found) {
      here.add(Long.toHexString(process.number()));
      if (self != null && process.name().isStopped(self)) {
        silent(process, stopped(process)); // it would only be waited for
      } else {
        asked.add(process);
      }
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answers>> answers =
          threads.invokeAll(
              asked.stream().map(this::asking).toList(),
              patience.toMillis(),
              TimeUnit.MILLISECONDS);
      for (int i = 0; i < asked.size(); i++) {
        LiveProcess process = asked.get(i);
        try {
          take(answers.get(i).get());
        } catch (CancellationException e) {
          boolean stopped = self != null && process.name().isStopped(self);
          silent(
              process,
              stopped
                  ? stopped(process)
                  : ErrorText.of("has not answered within %d s", patience.toSeconds()));
        } catch (ExecutionException e) {
          Throwable cause = cause(e);
          if (!(cause instanceof ConnectException)) { // which has ended, or just closes
            silent(process, "cannot be asked: " + ErrorText.reason(cause));
          }
        } catch (IOException e) {
          problems.add(ErrorText.of("process %d: %s", process.name().pid(), ErrorText.reason(e)));
        }
      }
    }
  }

  private Callable<Answers> asking(LiveProcess process) {
    return () -> {
      byte[] state = process.ask(LiveRequest.STATE);
      boolean lacks = job != null && job.lacks(LiveAnswer.ranks(state));
      return new Answers(state, lacks ? process.ask(LiveRequest.JOB) : null);
    };
  }

  private void take(Answers answers) throws IOException {
    for (LiveRank rank : LiveAnswer.ranks(answers.state)) {
      ranks.add(rank);
      here.add(rank.process());
    }
    processes++;
    if (answers.job != null && job != null) {
      if (LiveAnswer.isUnknownRequest(answers.job)) {
        throw new IOException(TOO_OLD);
      }
      job.learn(answers.job);
    }
  }

  private void askElsewhere(JobMembers members) throws InterruptedException {
    List<JobMembers.Asked> asked = members.toAsk(here);
    if (asked.size() > JobMembers.MOST) {
      problems.add(
          ErrorText.of("only %d of %d processes were asked", JobMembers.MOST, asked.size()));
      for (JobMembers.Asked each : asked.subList(JobMembers.MOST, asked.size())) {
        silent(each, members, "was not asked: it is one of too many");
      }
      asked = asked.subList(0, JobMembers.MOST);
    }
    Map<String, List<JobMembers.Asked>> processes = new LinkedHashMap<>();
    asked.forEach(each ->
        processes.computeIfAbsent(each.numberAndHost(), process -> new ArrayList<>()).add(each));
    Map<JobMembers.Asked, String> missing = new LinkedHashMap<>();
    Set<String> undecided = new HashSet<>(silent.keySet());
    members.begin(asked, MOST_BYTES);
    for (ProcessLook look : ask(members, processes.values())) {
      for (Question each : look.questions()) {
        boolean isOver = each.isOver(); // before, since the answer may come between
        String why = take(each, look);
        members.end(each, why == null);
        if (why != null) {
          missing.put(each.asked(), why);
        }
        if (!isOver) {
          undecided.add(each.asked().process());
        }
      }
    }
    members.see(ranks, undecided); // before a host is named, since a rank of it may have answered
    missing.forEach((each, why) -> silent(each, members, why));
  }

  /** Asks all processes, and waits for those that are not being asked still. */
  private List<ProcessLook> ask(JobMembers members, Collection<List<JobMembers.Asked>> processes)
      throws InterruptedException {
    Semaphore room = new Semaphore(AT_ONCE);
    List<ProcessLook> begun = new ArrayList<>();
    for (List<JobMembers.Asked> each : processes) {
      begun.add(members.ask(each, patience.dividedBy(2), room));
    }
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      for (ProcessLook each : begun) {
        each.await(deadline);
      }
    } finally {
      begun.forEach(ProcessLook::end);
    }
    return begun;
  }

  /**
   * Takes what a process says of one communicator; returns why it says nothing, null if it does.
   */
  private @Nullable String take(Question question, ProcessLook look) {
    Question.Answer answer = question.answer();
    if (answer == null) {
      return look.progress(question);
    }
    JobMembers.Asked asked = question.asked();
    byte[] state = answer.state();
    if (state == null) {
      return answer.why();
    }
    try {
      ranks.addAll(LiveAnswer.ranks(state, asked));
      heard.add(asked.process());
      return null;
    } catch (IOException e) {
      return SENT_NO_ANSWER + ErrorText.reason(e);
    }
  }

  private void silent(JobMembers.Asked asked, JobMembers members, String why) {
    silent.put(
        key(asked.communicator(), asked.process()),
        new Silent(0, asked, members.place(asked), why));
  }

  private static Throwable cause(ExecutionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  private void silent(LiveProcess process, String why) {
    silent.put(Long.toHexString(process.number()), new Silent(process.name().pid(), null, "", why));
  }

  private static String stopped(LiveProcess process) {
    return "is stopped (SIGSTOP or a debugger); kill -CONT "
        + process.name().pid()
        + " lets it go on";
  }

  private static String key(String communicator, String process) {
    return communicator + "/" + process;
  }

  /** Returns when it was taken, by {@link System#nanoTime}. */
  long nanos() {
    return nanos;
  }

  /** Returns how many processes have answered. */
  int processes() {
    return processes + heard.size();
  }

  /** Returns the ranks that these told of. */
  List<LiveRank> ranks() {
    return ranks;
  }

  /** Returns the processes that have not answered. */
  SortedMap<String, Silent> silent() {
    return silent;
  }

  /** Returns a sentence for each directory and answer that could not be used. */
  List<String> problems() {
    return problems;
  }

  /** Returns what is known of the communicators' ranks elsewhere; null without {@code --job}. */
  @Nullable JobMembers job() {
    return job;
  }

  /** Returns why a rank that others wait for has not answered; null where its process did. */
  @Nullable Silent silent(String communicator, @Nullable String process) {
    if (process == null) {
      return null;
    }
    Silent local = silent.get(process);
    return local == null ? silent.get(key(communicator, process)) : local;
  }
}
