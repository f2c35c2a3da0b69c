// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.FlightLog;
import io.nitinol.fuzz.FuzzTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a process elsewhere answers to {@code nitinol top --job}, and where the ranks are that one
 * of this host tells of, or with {@code --connect} one elsewhere. No answer makes ranks that are
 * not its own, and no text has control characters.
 */
public final class JobAnswerTarget implements FuzzTarget {
  private static final InetSocketAddress LISTENS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
  private static final JobMembers.Asked ASKED =
      new JobMembers.Asked("ab", 3, "5", "6", new TreeMap<>(Map.of(1, LISTENS, 2, LISTENS)));

  @Override
  public void run(byte[] input) {
    try {
      for (LiveRank rank : LiveAnswer.ranks(input, ASKED)) {
        FuzzTarget.require(ASKED.ranks().contains(rank.log().rank()), "another's rank");
        FuzzTarget.require(rank.log().communicator().equals("ab"), "another communicator");
        printable(rank.host() + rank.name() + rank.process() + rank.log());
      }
    } catch (IOException e) {
      printable(String.valueOf(e.getMessage()));
    }
    JobMembers here = new JobMembers();
    try {
      here.learn(input);
    } catch (IOException e) {
      printable(String.valueOf(e.getMessage()));
    }
    askable(here);
    JobMembers elsewhere = new JobMembers();
    try {
      elsewhere.learn(input, "00ff");
    } catch (IOException e) {
      printable(String.valueOf(e.getMessage()));
    }
    askable(elsewhere);
  }

  private static void askable(JobMembers members) {
    for (JobMembers.Asked each : members.toAsk(new TreeSet<>())) {
      FuzzTarget.require(!each.ranks().isEmpty(), "nobody to ask");
      FuzzTarget.require(each.members().lastKey() < each.size(), "a rank too many");
      printable(members.place(each) + each);
    }
  }

  private static void printable(String text) {
    FuzzTarget.require(text.chars().noneMatch(Character::isISOControl), "control characters");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(LiveAnswer.class, JobMembers.class, LiveRank.class, FlightLog.class);
  }

  @Override
  public List<byte[]> seeds() {
    String rank =
        """
        {"format":"nitinol-top","version":1,"ranks":[{"communicator":"ab","name":"n","rank":1,\
        "size":3,"host":"h","pid":4,"process":"6","ranks_of_host":[1,2],"failure":"f",\
        "written_us":9,"submitted":2,"completed":1,"collectives":2,"collectives_done":1,"bytes":64,\
        "moves":1,"quiet_us":3,"waits":[{"rank":0,"process":"5","transport":"SHM","for":"w"}],\
        "operations":[{"collective":"all_reduce","call":"c","number":2,"state":"begun",\
        "submitted_us":1,"begun_us":null}]}]}
        """;
    String members =
        """
        {"format":"nitinol-top","version":1,"communicators":[{"communicator":"ab","size":2,\
        "key":"00ff","members":[{"rank":0,"host":"5","process":"6","address":"10.0.0.1","port":80},\
        {"rank":1,"host":"5","process":"7","address":"fe80::1%1","port":81}]}]}
        """;
    return List.of(
        rank.getBytes(StandardCharsets.UTF_8),
        members.getBytes(StandardCharsets.UTF_8),
        "{\"format\":\"nitinol-top\",\"error\":\"e\"}".getBytes(StandardCharsets.UTF_8));
  }
}
