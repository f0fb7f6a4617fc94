package dev.cairn.examples.town.rows;

import dev.cairn.SoloState;
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
  Random random;
  final Grid grid;
  final Scheduler scheduler = new Scheduler();
  final Gossip gossip = new Gossip(this);
  List<Agent> agents = new ArrayList<>(); // Also those who left, to whom events may lead.
  List<Household> households = new ArrayList<>();
  List<Shop> shops = new ArrayList<>();
  private final Clock clock = Clock.TOWN;

  private Town(Settings settings, String[] words, SoloState state) throws IOException {
    this.settings = settings;
    reports = new Reports(settings.out, state);
    random = new Random(settings.number("seed"));
    grid = new Grid(settings.number("size"), settings.number("district"));
    state.parameter("words", words);
    state.fields("clock", clock);
    state.fields("registry", Registry.class, "AGENTS");
    state.fields("gossip", gossip, "town");
    state.fields("scheduler", scheduler, "queue");
    state.generator("random", () -> random, it -> random = it);
    state.rows(
        "agents",
        Agent.class,
        () -> agents,
        it -> agents = it,
        it -> it.kinds(Resident.class, Shopkeeper.class, Courier.class, Reporter.class));
    state.rows(
        "households",
        Household.class,
        () -> agents.stream().map(it -> it.household).distinct().toList(),
        it -> (households = it).removeIf(household -> household.members.isEmpty()));
    state.rows("shops", Shop.class, () -> shops, it -> shops = it);
    state.rows("districts", District.class, () -> grid.districts, grid::put);
    state.rows("cells", Cell.class);
    state.rows("rumours", Rumour.class);
    state.rows("memories", Memory.class);
    state.rows("hearings", Memory.Hearing.class);
    state.rows("queue", Scheduler.Entry.class, () -> List.copyOf(scheduler.queue), scheduler::put);
    state.rows(
        "events",
        Event.class,
        it -> {
          it.kinds(BirthEvent.class, ClosingEvent.class, MeetingEvent.class, MovingAwayEvent.class);
          it.kinds(DeliveryEvent.class, OpeningEvent.class, RumourEvent.class, TellingEvent.class);
        });
    state.afterRestore(() -> agents.stream().filter(Agent::isInTown).forEach(Registry::add));
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
            settings.out.resolve("town.cairn"), state -> town = new Town(given, words, state))) {
      if (checkpoints.restore() == 0) new Founder(town).found();
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
    agents.add(agent);
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
    resident.memory.hearings.forEach(hearing -> hearing.rumour().reach--);
    resident.moveTo(null);
    Registry.remove(resident);
    resident.household.members.remove(resident);
    households.removeIf(household -> household.members.isEmpty());
  }
}
