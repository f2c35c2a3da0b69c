// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

/** What stands at a path, as {@code stat} tells it. */
enum FileKind {
  ABSENT(0, "nothing"),
  PIPE(0010000, "a pipe"),
  CHARACTER_DEVICE(0020000, "a device"),
  DIRECTORY(0040000, "a directory"),
  BLOCK_DEVICE(0060000, "a block device"),
  REGULAR(0100000, "a regular file"),
  LINK(0120000, "a symbolic link"),
  SOCKET(0140000, "a socket");

  private static final int FORMAT = 0170000;

  private final int format;
  private final String words;

  FileKind(int format, String words) {
    this.format = format;
    this.words = words;
  }

  /** Returns the kind of a file of {@code st_mode}. */
  static FileKind of(int mode) {
    for (FileKind kind : values()) {
      if (kind.format == (mode & FORMAT)) {
        return kind;
      }
    }
    return SOCKET; // of no kind that Linux has; refused as a socket is
  }

  /** Returns what to call it in a sentence. */
  String words() {
    return words;
  }
}
