package dev.cairn.examples.forgotten;

import static dev.cairn.examples.forgotten.Omission.unless;

import dev.cairn.SoloState;
import dev.cairn.java.BlockingSoloCheckpoints;
import dev.cairn.state.Codecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/** People of a village, who know each other, catch a cold on their visits. */
public final class Village {
  private static final int HOUSES = 30;

  static final class Person {
    private static int nextId;

    final int id = nextId++;
    final int house;
    final List<Person> friends = new ArrayList<>();
    int illUntil;
    transient double immunity; // goes to the checkpoint as an array

    Person(int house) {
      this.house = house;
    }
  }

  /** People go from house to house; visits of a day are in the order of their tickets. */
  record Visit(long day, long ticket, int guest, int host) {}

  static final class ByDay implements Comparator<Visit> {
    @Override
    public int compare(Visit one, Visit other) {
      int days = Long.compare(one.day, other.day);
      return days != 0 ? days : Long.compare(one.ticket, other.ticket);
    }
  }

  /** A bed of the ward, and the next one: whoever falls ill takes the place of who came first. */
  static final class Bed {
    final int number;
    int patient = -1;
    Bed next = this;

    Bed(int number) {
      this.number = number;
    }

    Bed find(int wanted) {
      return number == wanted ? this : next.find(wanted);
    }
  }

  /** A person, and those that the person has infected. */
  static final class Infection {
    final int person;
    final List<Infection> led = new ArrayList<>();

    Infection(int person) {
      this.person = person;
    }

    int count() {
      return 1 + led.stream().mapToInt(Infection::count).sum();
    }
  }

  /** Goes from bed to bed. */
  static final class Doctor {
    Bed at;
    int bed;
    int treated;
  }

  /** The second number of a pair of normal ones waits here for the next call. */
  private static final ThreadLocal<double[]> SPARE = ThreadLocal.withInitial(() -> new double[2]);

  private static double panic;
  private static long nextTicket;
  private static Random weather = new Random(5);

  private List<Person> people = new ArrayList<>();
  private PriorityQueue<Visit> visits = new PriorityQueue<>(new ByDay());
  private Bed ward = new Bed(0);
  private Infection source = new Infection(0);
  private double[] immunities = {};
  private final Doctor doctor = new Doctor();
  private final Map<String, Double> odds = new TreeMap<>(); // as they were at the first visit
  private Random luck = new Random(6);

  private Village() {
    for (int house = 0; house < HOUSES; house++) {
      settle(house, 0);
      visits.add(new Visit(house % 5, nextTicket++, house, (house + 1) % HOUSES));
    }
    ward.next = new Bed(1);
    ward.next.next = ward;
    doctor.at = ward;
  }

  /** Takes the number of days, and the folder of the files. */
  public static void main(String[] args) throws IOException {
    long until = Long.parseLong(args[0]);
    Path folder = Path.of(args[1]);
    Village village = new Village();
    List<Integer> curve = new ArrayList<>();
    try (var checkpoints =
        BlockingSoloCheckpoints.open(
            folder.resolve("village.cairn"),
            state -> {
              village.declareGraphs(state);
              village.declare(state);
              unless(
                  "village.curve",
                  () ->
                      state.value(
                          "curve", Codecs.listOf(Integer.class), () -> curve, curve::addAll));
            })) {
      long day = checkpoints.restore();
      int weekday = unless("village.weekday", (int) (day % 7), 0);
      boolean isWarned = unless("village.isWarned", day >= 20, false);
      while (checkpoints.saveIfDue(day, until)) {
        village.live(day, weekday == 6, isWarned);
        curve.add(village.illOn(day));
        weekday = (weekday + 1) % 7;
        isWarned |= day == 19;
        day++;
      }
    }
    Files.writeString(folder.resolve("village.txt"), curve + village.summary());
  }

  private void declareGraphs(SoloState state) {
    String ours = Village.class.getPackageName();
    unless(
        "village.people",
        () -> state.graph("people", () -> people, it -> people = it, graph -> graph.allow(ours)));
    unless(
        "village.visits",
        () -> state.graph("visits", () -> visits, it -> visits = it, graph -> graph.allow(ours)));
    unless("village.source", () -> state.graph("source", () -> source, it -> source = it));
    state.graph("ward", () -> ward, it -> ward = it);
    state.value("bed", Codecs.INT, () -> doctor.at.number, it -> doctor.bed = it);
    unless("village.ward", () -> state.afterRestore(() -> doctor.at = ward.find(doctor.bed)));
  }

  private void declare(SoloState state) {
    state.beforeSave(
        () -> immunities = people.stream().mapToDouble(person -> person.immunity).toArray());
    state.value("immunities", Codecs.of(double[].class), () -> immunities, it -> immunities = it);
    unless(
        "village.immunity",
        () ->
            state.afterRestore(
                () -> {
                  for (Person person : people) person.immunity = immunities[person.house];
                }));
    unless(
        "village.treated",
        () -> state.value("treated", Codecs.INT, () -> doctor.treated, it -> doctor.treated = it));
    unless(
        "village.nextId",
        () -> state.value("nextId", Codecs.INT, () -> Person.nextId, it -> Person.nextId = it));
    unless(
        "village.nextTicket",
        () -> state.value("nextTicket", Codecs.LONG, () -> nextTicket, it -> nextTicket = it));
    unless(
        "village.panic", () -> state.value("panic", Codecs.DOUBLE, () -> panic, it -> panic = it));
    unless(
        "village.odds",
        () ->
            state.value(
                "odds", Codecs.mapOf(String.class, Double.class), () -> odds, odds::putAll));
    unless("village.luck", () -> state.generator("luck", () -> luck, it -> luck = it));
    unless("village.weather", () -> state.generator("weather", () -> weather, it -> weather = it));
    unless(
        "village.spare",
        () -> state.value("spare", Codecs.of(double[].class), SPARE::get, SPARE::set));
  }

  private void live(long day, boolean isHoliday, boolean isWarned) {
    double cold = 1 + weather.nextDouble() + 0.1 * normal();
    while (visits.peek().day <= day) {
      Visit visit = visits.remove();
      if (luck.nextDouble() > panic) meet(visit, cold, (int) day);
      long next = day + (isHoliday ? 1 : 2 + luck.nextInt(3)) + (isWarned ? 1 : 0);
      Person host = people.get(visit.host);
      int other = host.friends.get(luck.nextInt(host.friends.size())).house;
      visits.add(new Visit(next, nextTicket++, visit.host, other));
    }
    for (Person person : people) person.immunity *= 0.99 + 0.01 * normal();
    panic = 0.9 * panic + 0.005 * illOn(day);
    if (day % 9 == 8) settle((int) (7 * day % HOUSES), (int) day);
  }

  private void meet(Visit visit, double cold, int day) {
    Person guest = people.get(visit.guest);
    Person host = people.get(visit.host);
    double odd = odds.computeIfAbsent(guest.id + "-" + host.id, it -> 0.8 / host.immunity);
    host.immunity += 0.001 * odd;
    if (guest.illUntil > day && host.illUntil <= day && luck.nextDouble() < odd * cold) {
      host.illUntil = day + 8;
      host.immunity += 0.2;
      ward = ward.next;
      ward.patient = host.house;
      boolean isLater = luck.nextBoolean() && !source.led.isEmpty();
      (isLater ? source.led.get(0) : source).led.add(new Infection(host.id));
    }
    doctor.at = doctor.at.next;
    if (doctor.at.patient >= 0) {
      people.get(doctor.at.patient).illUntil--;
      doctor.treated++;
    }
  }

  /** Someone moves in, and gets to know some of the others, who keep their old friends. */
  private void settle(int house, int day) {
    Person person = new Person(house);
    person.immunity = 1 + 0.01 * person.id;
    person.illUntil = person.id % 3 == 0 ? day + 40 : 0;
    for (int other = 0; other < people.size(); other += 1 + luck.nextInt(6)) {
      people.get(other).friends.add(person);
      person.friends.add(people.get(other));
    }
    if (house < people.size()) people.set(house, person);
    else people.add(person);
  }

  private int illOn(long day) {
    return (int) people.stream().filter(person -> person.illUntil > day).count();
  }

  private double normal() {
    double[] spare = SPARE.get();
    spare[1] = 1 - spare[1];
    if (spare[1] == 0) return spare[0];
    double radius = Math.sqrt(-2 * Math.log(1 - luck.nextDouble()));
    double angle = 2 * Math.PI * luck.nextDouble();
    spare[0] = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  private String summary() {
    var states = people.stream().map(person -> person.id + " " + person.immunity).toList();
    return states
        + " "
        + doctor.treated
        + visits.peek()
        + source.count()
        + " "
        + panic
        + ward.patient;
  }
}
