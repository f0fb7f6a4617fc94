package dev.cairn.examples.town.rows;

import dev.cairn.SoloState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The files that a run leaves behind, the same on every machine. */
final class Reports implements AutoCloseable {
  private final PrintWriter days;
  private final PrintWriter rumours;
  private final PrintWriter agents;

  Reports(Path folder, SoloState state) throws IOException {
    Files.createDirectories(folder);
    days = state.output("town.txt", folder.resolve("town.txt")).writer();
    rumours = state.output("rumours.txt", folder.resolve("rumours.txt")).writer();
    agents = new PrintWriter(Files.newBufferedWriter(folder.resolve("final.txt")));
  }

  void writeDay(Town town) {
    days.print("day=" + Clock.TOWN.day());
    for (Kind kind : Kind.values()) {
      days.print(" " + kind + "=" + Registry.ofKind(kind).size());
    }
    List<Agent> all = Registry.everyone();
    long supporters = all.stream().filter(agent -> agent.opinion > 0.2).count();
    long opponents = all.stream().filter(agent -> agent.opinion < -0.2).count();
    double mean = all.stream().mapToDouble(agent -> agent.opinion).sum() / all.size();
    days.print(" for=" + supporters + " against=" + opponents + " opinion=" + decimal(mean));
    long money = all.stream().mapToLong(agent -> agent.money).sum();
    long purses = town.households.stream().mapToLong(household -> household.purse).sum();
    long tills = town.shops.stream().mapToLong(shop -> shop.till).sum();
    days.print(" money=" + money + " purses=" + purses + " tills=" + tills);
    days.print(" rumours=" + town.gossip.started + " events=" + town.scheduler.handled + "\n");
    days.flush();
  }

  /** Writes that a rumour has come to a tenth of the town. */
  void writeRumour(Rumour rumour) {
    long now = Clock.TOWN.now();
    Agent origin = Registry.find(rumour.originId);
    rumours.print("R" + rumour.id + " minute=" + now + " age=" + (now - rumour.start));
    rumours.print(" origin=" + rumour.originId + (origin == null ? "(gone)" : ""));
    rumours.print(" slant=" + decimal(rumour.slant) + " true=" + rumour.isTrue);
    rumours.print(" reach=" + rumour.reach + " of=" + Registry.population() + "\n");
    rumours.flush();
  }

  /** Writes what everybody is like; a rumour is marked as believed or not, and with its teller. */
  void writeAgents() {
    for (Agent agent : Registry.everyone()) {
      agents.print(agent.id + " " + agent.kind + " at=" + agent.cell.x + "/" + agent.cell.y);
      agents.print(" opinion=" + decimal(agent.opinion) + " money=" + agent.money);
      agents.print(" tired=" + agent.tiredness + " friends=" + agent.friends.size());
      agents.print(
          " best=" + (agent.bestFriend == null ? "none" : agent.bestFriend.id) + " heard=");
      for (Memory.Hearing h : agent.memory.hearings) {
        agents.print("R" + h.rumour().id + (h.believed() ? "!" : "?") + h.teller().id + ";");
      }
      agents.print("\n");
    }
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  /** Closes the files, and tells if a line has been lost on the way. */
  @Override
  public void close() throws IOException {
    boolean lost = days.checkError() || rumours.checkError() || agents.checkError();
    days.close();
    rumours.close();
    agents.close();
    if (lost) {
      throw new IOException("A file could not be written to its end.");
    }
  }
}
