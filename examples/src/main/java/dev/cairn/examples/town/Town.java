package dev.cairn.examples.town;

import dev.cairn.java.BlockingSoloCheckpoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A town with an epidemic of rumours: the model, and the program that runs it. */
public final class Town {
  private static Town town;
  final Settings settings;
  final Reports reports;
  final Random random;
  final Grid grid;
  final Scheduler scheduler = new Scheduler();
  final Gossip gossip = new Gossip(this);
  final List<Household> households = new ArrayList<>();
  final List<Shop> shops = new ArrayList<>();
  private static final Clock clock = Clock.TOWN;

  private Town(Settings settings, Reports reports) {
    this.settings = settings;
    this.reports = reports;
    random = new Random(settings.number("seed"));
    grid = new Grid(settings.number("size"), settings.number("district"));
  }

  /** Runs the model; the words are settings of the form {@code key=value}. */
  public static void main(String[] words) throws IOException {
    Settings settings = null;
    try {
      settings = new Settings(words);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    Settings given = settings;
    try (var checkpoints =
        BlockingSoloCheckpoints.open(
            settings.out.resolve("town.cairn"),
            state -> {
              town = new Town(given, new Reports(given.out, state));
              state.parameter("words", words);
              state.fields("clock", Clock.TOWN);
              state.fields("registry", Registry.class, "AGENTS");
              state.graph(
                  "town",
                  () -> town,
                  it -> town = it,
                  it -> it.outside("reports", town.reports).outside("order", Scheduler.ORDER));
            })) {
      if (checkpoints.restore() == 0) new Founder(town).found();
      for (Household household : town.households) household.members.forEach(Registry::add);
      town.live(checkpoints);
    }
  }

  private void live(BlockingSoloCheckpoints checkpoints) throws IOException {
    while (checkpoints.saveIfDue(clock.day(), settings.days())) {
      long midnight = (clock.day() + 1L) * Clock.DAY;
      while (scheduler.hasEventBefore(midnight)) {
        scheduler.next().happen(this);
      }
      Registry.everyone().forEach(Agent::endDay);
      households.forEach(Household::settle);
      reports.writeDay(this);
      clock.advanceTo(midnight);
    }
    if (!checkpoints.isStopped()) reports.writeAgents();
    reports.close();
  }

  <T> T pick(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  /** When something will happen again that happens so many times a day on average. */
  long timeOfNext(String setting) {
    return clock.now() + 1 + random.nextInt(2 * Clock.DAY / settings.number(setting));
  }

  /** Lets an agent live in the town: at home for now, and among people from the morning on. */
  void admit(Agent agent) {
    Registry.add(agent);
    agent.household.members.add(agent);
    agent.moveTo(agent.household.home);
    wakeInTheMorning(agent);
  }

  void wakeInTheMorning(Agent agent) {
    long time = clock.nextMorning() + random.nextInt(2 * Clock.HOUR);
    scheduler.add(time, new MeetingEvent(agent));
  }

  /** Takes a resident out of the town, and out of the count of those who have heard a rumour. */
  void release(Resident resident) {
    resident.sayGoodbye();
    resident.memory.hearings.values().forEach(hearing -> hearing.rumour().reach--);
    resident.moveTo(null);
    Registry.remove(resident);
    resident.household.members.remove(resident);
    households.removeIf(household -> household.members.isEmpty());
  }
}
