package dev.cairn.faces;

import java.util.ArrayList;
import java.util.List;

/** A class above another one, with a type parameter. */
class Counted<T> {
  T tag;
  final List<T> tags = new ArrayList<>();
  int steps;

  Counted(T tag) {
    this.tag = tag;
  }

  final void step(T next) {
    tag = next;
    tags.add(next);
    steps++;
  }
}
