package dev.cairn.examples.town.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hands out ids, and finds the agents who live in the town, in the order of their ids. There is one
 * town in a process, and so its registry and its clock are never set back.
 */
final class Registry {
  private static final Map<Integer, Agent> AGENTS = new TreeMap<>();
  private static int lastId;

  private Registry() {}

  static int nextId() {
    return ++lastId;
  }

  static void add(Agent agent) {
    AGENTS.put(agent.id, agent);
  }

  static void remove(Agent agent) {
    AGENTS.remove(agent.id);
  }

  /** The agent with an id, or null where it has left the town. */
  static Agent find(int id) {
    return AGENTS.get(id);
  }

  static List<Agent> ofKind(Kind kind) {
    return AGENTS.values().stream().filter(agent -> agent.kind == kind).toList();
  }

  /** A copy, which stays as it is when agents come and go. */
  static List<Agent> everyone() {
    return new ArrayList<>(AGENTS.values());
  }

  static int population() {
    return AGENTS.size();
  }
}
