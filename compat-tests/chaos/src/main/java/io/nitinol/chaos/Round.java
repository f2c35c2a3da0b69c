// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.chaos.WorkerProcess.Line;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.netns.Tmpfs;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One job and its fault. */
final class Round {
  /** What ranks may take for what no fault disturbs, on a busy machine. */
  private static final int PATIENT_SECONDS = 60;

  /** A process looks for such names at most once in a second. */
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final RoundPlan plan;
  private final int number;
  private final Farm farm;
  private final @Nullable WallClock clock;
  private final List<String> violations = new ArrayList<>();
  private List<WorkerProcess> workers = List.of();
  private final long begun = System.nanoTime();
  private long happened;

  Round(RoundPlan plan, int number, Farm farm, @Nullable WallClock clock) {
    this.plan = plan;
    this.number = number;
    this.farm = farm;
    this.clock = clock;
  }

  /**
   * Carries it out.
   *
   * @throws Unavailable when the machine does not permit what the fault needs
   */
  RoundVerdict run() throws IOException, InterruptedException, Unavailable {
    workers = farm.workers(plan);
    Map<String, String> variables = new HashMap<>();
    if (plan.fault() == Fault.CABLE_PAUSE) {
      variables.put(
          "NITINOL_TIMEOUT", Integer.toString(farm.pace().seconds(RoundCarrier.PATIENCE)));
    }
    if (plan.fault() == Fault.PLUGIN) {
      variables.put(Worker.FAULTY, "1");
    }
    if (!farm.meetingAddress().isEmpty()) {
      variables.put("NCCL_COMM_ID", farm.meetingAddress() + ":" + (20_000 + number % 10_000));
    }
    Map<String, String> meeting = new HashMap<>(variables);
    meeting.put("NCCL_SOCKET_IFNAME", "lo");
    // The root knows which ranks are missing, and tells it to the others before they give up.
    meeting.put(
        "NITINOL_BOOTSTRAP_TIMEOUT", Integer.toString(farm.pace().seconds(RoundCarrier.MEETING)));
    try (UniqueId id = UniqueId.create(Settings.of(meeting), Log.process())) {
      if (plan.fault() == Fault.MEMORY) {
        try (Tmpfs small = Tmpfs.open(plan.amount())) {
          variables.put("NITINOL_SHM_DIR", small.path().toString());
          run(id, variables);
        }
      } else {
        run(id, variables);
      }
    }
    List<List<Line>> lines = workers.stream().map(worker -> worker.lines(number)).toList();
    RoundVerdict verdict = new RoundVerdict(plan, lines, happened, farm.pace());
    verdict.violations().addAll(violations);
    return verdict;
  }

  private void run(UniqueId id, Map<String, String> variables)
      throws IOException, InterruptedException {
    if (plan.fault() == Fault.DESCRIPTORS) {
      victim().limitDescriptors(plan.amount());
    }
    StringBuilder rest = new StringBuilder();
    variables.forEach((name, value) -> rest.append(' ').append(name).append('=').append(value));
    for (int rank = 0; rank < plan.ranks(); rank++) {
      workers
          .get(rank)
          .tell(
              "round %d %d %d %s %d%s"
                  .formatted(number, plan.ranks(), rank, id, plan.seed(), rest));
    }
    happened = System.nanoTime();
    if (!plan.early()) {
      int seconds = plan.fault().isBeforeStart() ? limit() : patience();
      if (plan.fault() == Fault.DESCRIPTORS) {
        allowDescriptorsAfter(seconds, Report.FAILED, Report.BROKEN, Report.RUNNING);
      }
      awaitAll(seconds, Report.RUNNING, Report.FAILED, Report.BROKEN);
    }
    TimeUnit.MILLISECONDS.sleep(plan.delayMillis());
    if (!plan.fault().isBeforeStart()) {
      happened = System.nanoTime();
    }
    inject();
    switch (plan.outcome()) {
      case RIGHT, RIGHT_OR_FAILED -> {
        for (WorkerProcess worker : workers) {
          worker.tell("finish");
        }
      }
      default -> {}
    }
    if (plan.fault() == Fault.DESCRIPTORS) {
      allowDescriptorsAfter(patience(), Report.RIGHT, Report.FAILED, Report.BROKEN);
    }
    try {
      awaitEnd();
    } finally {
      if (plan.fault() == Fault.CABLE_OUT) {
        farm.cable(true);
      }
    }
    if (plan.fault() == Fault.DESCRIPTORS) {
      victim().close(); // a class that could not be loaded then will not load later either
    }
    findFiles();
  }

  private void awaitEnd() throws IOException, InterruptedException {
    boolean stopped = plan.fault() == Fault.STOP;
    awaitDone(limit() + patience(), stopped || plan.fault() == Fault.KILL ? plan.victim() : -1);
    if (stopped) {
      victim().signal("CONT");
      awaitDone(patience(), -1);
    }
    dumpStuck();
  }

  /** Ends the shortage once the victim has reported; to see what it has left open takes some. */
  private void allowDescriptorsAfter(int seconds, Report... reports)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    victim().await(number, deadline, reports);
    boolean goesOn = victim().await(number, System.nanoTime(), Report.RUNNING);
    boolean over = victim().await(number, System.nanoTime(), Report.RIGHT, Report.FAILED);
    if (over || !goesOn) {
      victim().allowDescriptors();
    }
  }

  private int limit() {
    return RoundVerdict.limit(plan, farm.pace());
  }

  private int patience() {
    return farm.pace().seconds(PATIENT_SECONDS);
  }

  private WorkerProcess victim() {
    return workers.get(plan.victim());
  }

  private void inject() throws IOException, InterruptedException {
    switch (plan.fault()) {
      case KILL -> victim().kill();
      case STOP -> victim().signal("STOP");
      case PAUSE -> {
        victim().signal("STOP");
        TimeUnit.MILLISECONDS.sleep(plan.amount());
        victim().signal("CONT");
      }
      case ABORT -> victim().tell("abort");
      case LEAVE -> victim().tell("leave");
      case PLUGIN -> victim().tell("fail");
      case CLOCK -> moveClock();
      case SWITCH -> farm.killSwitch();
      case CABLE_OUT -> farm.cable(false);
      case CABLE_PAUSE -> {
        farm.cable(false);
        TimeUnit.MILLISECONDS.sleep(plan.amount());
        farm.cable(true);
      }
      case NONE, DESCRIPTORS, MEMORY -> {}
    }
  }

  private void moveClock() throws IOException, InterruptedException {
    if (clock == null) {
      throw new IllegalStateException("there is no clock to move");
    }
    long before = victim().clock();
    clock.move(victim().log(), plan.amount());
    long moved = TimeUnit.MILLISECONDS.toSeconds(victim().clock() - before);
    if (Math.abs(moved - plan.amount()) > PATIENT_SECONDS) {
      violations.add("the clock has moved by " + moved + " s, so that this round says nothing");
    }
    TimeUnit.MILLISECONDS.sleep(500);
    clock.move(victim().log(), 0);
  }

  private void awaitAll(int seconds, Report... reports) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (WorkerProcess worker : workers) {
      worker.await(number, deadline, reports); // the verdict tells what is missing
    }
  }

  private void awaitDone(int seconds, int except) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (int rank = 0; rank < plan.ranks(); rank++) {
      if (rank != except) {
        workers.get(rank).await(number, deadline, Report.DONE);
      }
    }
  }

  /** Has workers that do not come to the end of their round write down where they are. */
  private void dumpStuck() throws IOException, InterruptedException {
    for (WorkerProcess worker : workers) {
      if (worker.isAlive() && !worker.await(number, System.nanoTime(), Report.DONE)) {
        worker.dump();
        TimeUnit.SECONDS.sleep(1);
        violations.add("the stacks of process " + worker.pid() + " are in " + worker.log());
      }
    }
  }

  /**
   * Looks for names in shared memory. A worker that is killed may leave one, which later jobs
   * remove that make one themselves.
   */
  private void findFiles() throws IOException {
    List<Long> cleared = new ArrayList<>();
    if (plan.carrier() == RoundCarrier.SHM && haveAll(Report.RUNNING)) {
      cleared.addAll(farm.killedBefore(begun - SWEEP_NANOS));
    }
    for (WorkerProcess worker : workers) {
      if (worker.isAlive()) {
        cleared.add(worker.pid());
      } else {
        farm.noteKilled(worker);
      }
    }
    try (Stream<Path> files = Files.list(SHARED_MEMORY)) {
      List<String> names = files.map(file -> file.getFileName().toString()).toList();
      for (long pid : cleared) {
        names.stream()
            .filter(name -> name.startsWith("nitinol-" + pid + "-"))
            .forEach(name -> violations.add(SHARED_MEMORY.resolve(name) + " is left"));
      }
    }
  }

  private boolean haveAll(Report report) {
    return workers.stream()
        .allMatch(
            worker -> worker.lines(number).stream().anyMatch(line -> line.report() == report));
  }
}
