// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * An open /proc/PID/stat, which belongs to one process for good: once that has ended the file can
 * no longer be read, even if another process gets its number. Reading allocates nothing
 * (NET-MEM-03).
 */
final class ProcessStat implements Closeable {
  // Fields are counted from the one behind the command, which may have blanks and parentheses.
  private static final int STATE = 0;
  private static final int START = 19;

  private final RandomAccessFile file;
  private final byte[] text = new byte[1024];
  private int length;

  private ProcessStat(RandomAccessFile file) {
    this.file = file;
  }

  /** Opens and reads it; fails where the process has ended. */
  static ProcessStat open(String path) throws IOException {
    ProcessStat stat = new ProcessStat(new RandomAccessFile(path, "r"));
    try {
      stat.read();
      return stat;
    } catch (IOException e) {
      stat.close();
      throw e;
    }
  }

  /** Reads it anew; fails where the process has ended. */
  void read() throws IOException {
    file.seek(0);
    length = file.read(text);
    if (length <= 0) {
      throw new EOFException("nothing to read");
    }
  }

  /** Returns when the process was started, in ticks. */
  long start() {
    long number = 0;
    for (int at = field(START); at < length && text[at] != ' '; at++) {
      number = number * 10 + (text[at] - '0');
    }
    return number;
  }

  /** Returns whether the process had ended and only waited for its parent to notice. */
  boolean isDead() {
    byte state = text[field(STATE)];
    return state == 'Z' || state == 'X' || state == 'x';
  }

  private int field(int number) {
    int at = length - 1;
    while (at > 0 && text[at] != ')') {
      at--;
    }
    at += 2;
    for (int left = number; left > 0 && at < length; at++) {
      if (text[at] == ' ') {
        left--;
      }
    }
    return Math.min(at, text.length - 1);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
