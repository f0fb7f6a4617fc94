package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The ground of the town: cells side by side in a square, gathered into districts. */
final class Grid {
  private final Cell[][] cells;
  List<District> districts;

  Grid(int size, int districtSize) {
    cells = new Cell[size][size];
    Map<Integer, District> districts = new TreeMap<>();
    for (int x = 0; x < size; x++) {
      for (int y = 0; y < size; y++) {
        int number = x / districtSize * size + y / districtSize;
        cells[x][y] = new Cell(x, y, districts.computeIfAbsent(number, n -> new District()));
      }
    }
    this.districts = new ArrayList<>(districts.values());
  }

  void put(List<District> restored) {
    districts = restored;
    restored.forEach(it -> it.cells.forEach(cell -> cells[cell.x][cell.y] = cell));
  }

  Cell randomCell(Random random) {
    return cells[random.nextInt(cells.length)][random.nextInt(cells.length)];
  }

  /** A cell at most one step away; the edges of the town hold back who would walk over them. */
  Cell step(Cell from, Random random) {
    return cells[clamp(from.x - 1 + random.nextInt(3))][clamp(from.y - 1 + random.nextInt(3))];
  }

  /** The other agents in the agent's cell and in the cells around it. */
  List<Agent> neighbours(Agent agent) {
    List<Agent> found = new ArrayList<>();
    for (int x = clamp(agent.cell.x - 1); x <= clamp(agent.cell.x + 1); x++) {
      for (int y = clamp(agent.cell.y - 1); y <= clamp(agent.cell.y + 1); y++) {
        found.addAll(cells[x][y].agents);
      }
    }
    found.remove(agent);
    return found;
  }

  private int clamp(int position) {
    return Math.max(0, Math.min(cells.length - 1, position));
  }
}
