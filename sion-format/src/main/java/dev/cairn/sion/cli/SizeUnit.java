package dev.cairn.sion.cli;

import dev.cairn.command.TextOutput;

/** In what {@code sion dump -a} prints sizes, and how a row of its table is laid out then. */
enum SizeUnit {
  MEGABYTES {
    @Override
    void task(TextOutput out, long bytes) {
      out.megabytes(bytes, 8).text(" MB");
    }

    @Override
    void endTask(TextOutput out) {
      out.text(":  ");
    }

    @Override
    void block(TextOutput out, long bytes) {
      out.text(" ").megabytes(bytes, 6).text(" MB ");
    }
  },

  BYTES {
    @Override
    void task(TextOutput out, long bytes) {
      out.right(bytes, 10).text(" B");
    }

    @Override
    void endTask(TextOutput out) {
      out.text(": ");
    }

    @Override
    void block(TextOutput out, long bytes) {
      out.right(bytes, 9).text(" ");
    }
  };

  /** A size of a whole task. */
  abstract void task(TextOutput out, long bytes);

  /** What stands between the task and its blocks. */
  abstract void endTask(TextOutput out);

  /** The bytes in one block. */
  abstract void block(TextOutput out, long bytes);
}
