package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;

/** A square part of the town: some cells, and the shops that stand in them. */
final class District {
  final List<Cell> cells = new ArrayList<>();
  final List<Shop> shops = new ArrayList<>();
}
