package dev.cairn.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Records whose constructors only keep what they get, and others. */
@SuppressWarnings({"ArrayRecordComponent", "StaticAssignmentInConstructor"})
final class Constructors {
  record Nothing() {}

  record All(
      boolean a,
      byte b,
      char c,
      short d,
      int e,
      long f,
      float g,
      double h,
      Object i,
      long[] j,
      List<String[]> k) {}

  record Demanding<T>(long id, T held, List<T> all) {
    Demanding {
      Objects.requireNonNull(held);
      Objects.requireNonNull(all, "all");
    }
  }

  record Several(int one, Object other) {
    static int count;

    Several(int one) {
      this(one, new ArrayList<>(count++));
    }
  }

  record Copying(List<String> all) {
    Copying {
      all = List.copyOf(all);
    }
  }

  record Swapping(long one, long other) {
    Swapping(long one, long other) {
      this.one = other;
      this.other = one;
    }
  }

  record Counting(int number) {
    static int count;

    Counting {
      count++;
    }
  }

  record Leaking(Object held) {
    static Object last = "";

    Leaking {
      last = held;
    }
  }

  record Checking(int number) {
    Checking {
      if (number < 0) throw new IllegalArgumentException();
    }
  }

  record Catching(Object held) {
    Catching {
      try {
        Objects.requireNonNull(held);
      } catch (NullPointerException absent) {
        held = "";
      }
    }
  }

  record Narrowing(int number) {
    Narrowing(int number) {
      this.number = (byte) number;
    }
  }

  private Constructors() {}
}
