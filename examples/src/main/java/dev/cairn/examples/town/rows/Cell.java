package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;

/** One cell of the grid, with the agents who stand in it. */
final class Cell {
  final int x;
  final int y;
  final District district;
  final List<Agent> agents = new ArrayList<>();

  Cell(int x, int y, District district) {
    this.x = x;
    this.y = y;
    this.district = district;
    district.cells.add(this);
  }

  /** The number of steps to another cell, where a diagonal step is a step like any other. */
  int distanceTo(Cell other) {
    return Math.max(Math.abs(x - other.x), Math.abs(y - other.y));
  }
}
