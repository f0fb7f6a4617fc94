package dev.cairn.faces;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** An object of each kind that the fields of a program in Java hold. */
@SuppressWarnings({"ArrayRecordComponent", "ClassCanBeStatic"}) // Programs have such.
public final class FieldsInJava extends Counted<Integer> {
  enum Phase {
    WARM,
    COLD
  }

  record Point(double x, double[] more) {}

  record Data(double[] cells, List<String> names) {}

  static final class Part {
    final double factor;
    private Part other;
    private int hits;

    Part(double factor) {
      this.factor = factor;
    }
  }

  /** Links of other parts are back to this. */
  final class Inner {
    private long seen;
  }

  private static int starts;
  private transient Thread thread = Thread.currentThread();
  private final int size = 3;
  private boolean isDone;
  private Long count;
  private String text = "";
  private Phase phase = Phase.WARM;
  private Point point = new Point(0, new double[2]);
  private Random random = new Random(5);
  private final Map<String, Random> workers = new ConcurrentHashMap<>();
  private double[] now = {1, 2, 3};
  private double[] before = {4, 5, 6};
  private final float[] fixed = new float[2];
  private final double[][] matrix = new double[2][];
  private int[][] ragged = {{1}, {2, 3}};
  private final Data data = new Data(new double[2], List.of("a", "b"));
  private final List<SortedMap<Long, Integer>> histograms =
      Stream.<SortedMap<Long, Integer>>generate(TreeMap::new).limit(2).toList();
  private final Deque<String> queue = new ArrayDeque<>();
  private final Set<Phase> phases = new HashSet<>();
  private List<double[]> samples = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final Part[] pair = {new Part(8), new Part(9)};
  private final Inner inner = new Inner();
  private final List<String> constants = List.of("x");

  /** As a program makes it. */
  public FieldsInJava() {
    super(7);
    matrix[0] = new double[1];
    matrix[1] = new double[3];
    for (int i = 0; i < 3; i++) {
      parts.add(new Part(i));
    }
    parts.get(0).other = parts.get(1);
    parts.get(1).other = parts.get(0);
    starts++;
  }

  /** How many were made. */
  public static int starts() {
    return starts;
  }

  /** As a step changes it. */
  public void advance() {
    step(tag + 1);
    isDone = true;
    count = count == null ? 1L : null;
    text += "ü";
    phase = Phase.COLD;
    point = new Point(point.x + 0.5, new double[] {random.nextGaussian(), point.x});
    workers.computeIfAbsent("w" + text.length(), name -> new Random(name.hashCode())).nextInt();
    double[] swapped = now;
    now = before;
    before = swapped;
    now[0]++;
    fixed[1] += 0.5f;
    matrix[1][2]--;
    ragged = new int[][] {{text.length()}, {}, ragged[0]};
    ragged[2] = ragged[2].clone();
    data.cells[1] += 2;
    histograms.get(1).merge((long) text.length() % 2, 1, Integer::sum);
    queue.addFirst(text);
    phases.add(Phase.COLD);
    samples.add(new double[] {random.nextDouble()});
    parts.get(2).hits += 2;
    parts.get(0).other.hits++;
    pair[1].hits += 3;
    inner.seen--;
  }

  /** All that it holds, and the next random numbers. */
  public String inWords() {
    var words = new StringBuilder();
    words.append(tag).append(tags).append(steps).append(isDone).append(count).append(text);
    words.append(phase).append(point.x).append(List.of(point.more[0], point.more[1]));
    words.append(random.nextGaussian()).append(new TreeMap<>(workers).keySet());
    workers.values().forEach(it -> words.append(it.nextInt()));
    for (double[] row : new double[][] {now, before, matrix[0], matrix[1], data.cells}) {
      words.append(java.util.Arrays.toString(row));
    }
    words.append(java.util.Arrays.toString(fixed)).append(java.util.Arrays.deepToString(ragged));
    words.append(histograms).append(queue).append(phases).append(data.names).append(constants);
    samples.forEach(it -> words.append(it[0]));
    parts.forEach(it -> words.append(it.hits).append(it.other == null));
    return words.append(pair[0].hits).append(pair[1].hits).append(inner.seen).toString();
  }

  /** Whether what stays is where it was. */
  public boolean isLinked() {
    return parts.get(0).other == parts.get(1)
        && parts.get(1).other == parts.get(0)
        && size == 3
        && thread != null;
  }
}
