// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.JsonFields;
import io.nitinol.core.bootstrap.MemberLook;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What {@code --job} knows of communicators: where their ranks listen, and with which key these are
 * asked. Processes of this host tell it of their own communicators, or with {@code --connect} a
 * rank elsewhere of its own. It never changes, so it is kept from look to look. What processes of
 * this host have told is forgotten once no rank of a communicator answers and none of its processes
 * may still do so; what a rank elsewhere has told never is, since it is asked once.
 */
final class JobMembers {
  /** How many processes are asked at a look, and how many communicators are kept. */
  static final int MOST = 4096;

  /** How many questions may have a connection without an answer from one look to the next. */
  private static final int MOST_PENDING = 256;

  private static final int MOST_PORT = 65_535;
  private static final int MOST_RANKS = 1 << 16;

  /** A rank of a communicator. */
  private record Member(String host, String process, InetSocketAddress address) {}

  private record Job(String key, List<Member> members) {}

  /**
   * A process of a communicator that is asked.
   *
   * @param size how many ranks the communicator has
   * @param members its ranks, and where each listens; the lowest that does is asked
   */
  record Asked(
      String communicator,
      int size,
      String host,
      String process,
      SortedMap<Integer, InetSocketAddress> members) {
    Set<Integer> ranks() {
      return members.keySet();
    }

    InetSocketAddress address() {
      return members.firstEntry().getValue();
    }

    /** Returns what tells this process from others, also of those that lie about their number. */
    String numberAndHost() {
      return JobMembers.numberAndHost(process, address());
    }

    /** Returns what tells the question about it from all others. */
    String key() {
      return communicator + "/" + numberAndHost();
    }
  }

  private final SortedMap<String, Job> jobs = new TreeMap<>();
  private final Map<String, String> hostNames = new HashMap<>();
  private final Set<InetSocketAddress> slow = new HashSet<>();
  private final Set<String> unasked = new HashSet<>();
  private final Map<String, Question> pending = new HashMap<>();
  private final AtomicLong budget = new AtomicLong();
  private final @Nullable JobEntrance entrance;

  /** Knows nothing; processes of this host tell. */
  JobMembers() {
    this(null);
  }

  /**
   * Knows nothing.
   *
   * @param entrance where a rank tells; null: processes of this host do
   */
  JobMembers(@Nullable JobEntrance entrance) {
    this.entrance = entrance;
  }

  /** A process is known by a number that each of its ranks says itself, and by where it listens. */
  private static String numberAndHost(String process, InetSocketAddress address) {
    return process + "@" + address.getAddress().getHostAddress();
  }

  /** Returns the rank that tells; null where processes of this host do. */
  @Nullable JobEntrance entrance() {
    return entrance;
  }

  /** Returns whether nothing is known. */
  synchronized boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** Returns whether there is a communicator among these whose other ranks are not known yet. */
  synchronized boolean lacks(Collection<LiveRank> ranks) {
    return ranks.stream()
        .anyMatch(rank -> rank.log().size() > 1 && !jobs.containsKey(rank.log().communicator()));
  }

  /**
   * Takes the answer of a process of this user and host.
   *
   * @throws IOException with what is wrong in it
   */
  synchronized void learn(byte[] answer) throws IOException {
    for (JsonNode node : JsonFields.array(LiveAnswer.document(answer), "communicators")) {
      if (jobs.size() < MOST) {
        jobs.putIfAbsent(
            JsonFields.text(node, "communicator"), job(node, JsonFields.text(node, "key")));
      }
    }
  }

  /**
   * Takes the answer of a rank elsewhere, which has proven to know a key, about its communicator.
   *
   * @throws IOException with what is wrong in it, to follow "has sent what is no answer: "
   */
  synchronized void learn(byte[] answer, String key) throws IOException {
    JsonNode told = JsonFields.array(LiveAnswer.document(answer), "communicators");
    if (told.size() != 1) {
      throw new IOException(ErrorText.of("it tells of %d communicators; expected 1", told.size()));
    }
    jobs.put(JsonFields.text(told.path(0), "communicator"), job(told.path(0), key));
  }

  private static Job job(JsonNode node, String key) throws IOException {
    int size = (int) JsonFields.whole(node, "size", 1, MOST_RANKS);
    List<Member> members = new ArrayList<>();
    for (JsonNode member : JsonFields.array(node, "members")) {
      JsonFields.whole(member, "rank", members.size(), members.size());
      String address = JsonFields.text(member, "address");
      try {
        members.add(
            new Member(
                JsonFields.text(member, "host"),
                JsonFields.text(member, "process"),
                new InetSocketAddress(
                    InetAddress.ofLiteral(address),
                    (int) JsonFields.whole(member, "port", 1, MOST_PORT))));
      } catch (IllegalArgumentException e) {
        throw new IOException(ErrorText.of("\"address\" is %s; expected an address", address), e);
      }
    }
    if (members.size() != size && size > 1) {
      throw new IOException(
          ErrorText.of("\"members\" has %d entries; expected %d", members.size(), size));
    }
    try {
      byte[] _ = HexFormat.of().parseHex(key);
      return new Job(key, members);
    } catch (IllegalArgumentException e) {
      throw new IOException("\"key\" is none", e); // and is not to be shown
    }
  }

  /**
   * Notes which communicators are still there, and how the hosts are called.
   *
   * @param ranks those that have answered
   * @param undecided processes that have not, and may still do so
   */
  synchronized void see(Collection<LiveRank> ranks, Set<String> undecided) {
    Set<String> there = new HashSet<>();
    for (LiveRank rank : ranks) {
      there.add(rank.log().communicator());
      Member member = member(rank.log().communicator(), rank.log().rank());
      if (member != null && hostNames.size() < MOST) {
        hostNames.put(member.host, rank.host());
      }
    }
    if (entrance == null) {
      jobs.entrySet()
          .removeIf(each ->
              !there.contains(each.getKey())
                  && each.getValue().members.stream()
                      .noneMatch(member -> undecided.contains(member.process)));
    }
    if (jobs.isEmpty()) {
      hostNames.clear();
      slow.clear();
      unasked.clear();
    }
  }

  private @Nullable Member member(String communicator, int rank) {
    Job job = jobs.get(communicator);
    return job == null || rank >= job.members.size() ? null : job.members.get(rank);
  }

  /** Returns the process of a rank, as the ranks know it; null where it is not known. */
  synchronized @Nullable String process(String communicator, int rank) {
    Member member = member(communicator, rank);
    return member == null ? null : member.process;
  }

  /** Returns all ranks of a communicator; none where it is not known. */
  synchronized SortedSet<Integer> ranks(String communicator) {
    SortedSet<Integer> ranks = new TreeSet<>();
    Job job = jobs.get(communicator);
    for (int rank = 0; job != null && rank < job.members.size(); rank++) {
      ranks.add(rank);
    }
    return ranks;
  }

  /** Returns how a host calls itself, or the address of one that has never answered. */
  synchronized String place(Asked asked) {
    String address = Addresses.text(asked.address());
    String name = hostNames.get(asked.host);
    return name == null ? address : name + " at " + address;
  }

  /**
   * Returns the processes that are to be asked: first those whose turn has not come the last time,
   * last those that did not answer then.
   *
   * @param heard processes of this host that have answered or are known not to
   */
  synchronized List<Asked> toAsk(Set<String> heard) {
    List<Asked> first = new ArrayList<>();
    List<Asked> then = new ArrayList<>();
    List<Asked> last = new ArrayList<>();
    jobs.forEach((communicator, job) -> {
      SortedMap<String, Asked> processes = new TreeMap<>();
      for (int rank = 0; rank < job.members.size(); rank++) {
        Member member = job.members.get(rank);
        if (!heard.contains(member.process)) {
          processes
              .computeIfAbsent(
                  numberAndHost(member.process, member.address),
                  of ->
                      new Asked(
                          communicator,
                          job.members.size(),
                          member.host,
                          member.process,
                          new TreeMap<>()))
              .members
              .put(rank, member.address);
        }
      }
      for (Asked each : processes.values()) {
        if (unasked.contains(each.key())) {
          first.add(each);
        } else {
          (slow.contains(each.address()) ? last : then).add(each);
        }
      }
    });
    first.addAll(then);
    first.addAll(last);
    return first;
  }

  /**
   * Begins a look: all that are asked share the bytes that it may read. Gives up what earlier looks
   * have left of questions that are not to be asked any more.
   */
  synchronized void begin(List<Asked> asked, long mostBytes) {
    budget.set(mostBytes);
    pending.values().removeIf(Question::isOver); // what it says is as old as the look before
    Set<String> keys = new HashSet<>();
    Set<InetSocketAddress> addresses = new HashSet<>();
    for (Asked each : asked) {
      keys.add(each.key());
      addresses.add(each.address());
    }
    unasked.retainAll(keys);
    slow.retainAll(addresses);
    for (Question each : List.copyOf(pending.values())) {
      if (!keys.contains(each.asked().key())) {
        pending.remove(each.asked().key());
        each.cancel();
      }
    }
  }

  /** Begins to ask a process about its communicators, or goes on with what has no answer yet. */
  synchronized ProcessLook ask(List<Asked> process, Duration slice, Semaphore room) {
    List<Question> open = new ArrayList<>();
    List<Question> fresh = new ArrayList<>();
    for (Asked each : process) {
      Question left = pending.get(each.key());
      if (left == null) {
        fresh.add(new Question(each, look(each)));
      } else {
        open.add(left);
      }
    }
    return ProcessLook.begin(open, fresh, slice, room);
  }

  private MemberLook look(Asked asked) {
    Job job = jobs.get(asked.communicator);
    byte[] key = HexFormat.of().parseHex(job == null ? "00" : job.key);
    return new MemberLook(asked.members, key, asked.size, budget);
  }

  /**
   * Ends a question's part in a look, and notes for the next one what came of it: a process that is
   * stopped may answer then.
   *
   * @param has whether it has a good answer
   */
  synchronized void end(Question question, boolean has) {
    Asked asked = question.asked();
    String key = asked.key();
    if (question.isPending() && (pending.containsKey(key) || pending.size() < MOST_PENDING)) {
      pending.put(key, question);
    } else {
      pending.remove(key);
      question.cancel();
    }
    if (!question.isBegun()) {
      unasked.add(key);
      return;
    }
    unasked.remove(key);
    if (has) {
      slow.remove(asked.address());
    } else {
      slow.add(asked.address());
    }
  }
}
