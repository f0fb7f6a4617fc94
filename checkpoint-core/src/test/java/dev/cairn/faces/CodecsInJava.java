package dev.cairn.faces;

import dev.cairn.state.Codec;
import dev.cairn.state.Codecs;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values that a program in Java stores, with the codecs that it names. */
public final class CodecsInJava {
  private CodecsInJava() {}

  /** The kinds of a particle. */
  public enum Charge {
    NEGATIVE,
    NONE {
      @Override
      public String toString() {
        return "neutral";
      }
    },
    POSITIVE
  }

  /** One body of a simulation. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Particle(
      int id,
      double[][] track,
      Charge charge,
      Optional<String> name,
      List<Instant> seen,
      Map<String, List<Integer>> counts) {}

  /** As Particle, of a later version. */
  @SuppressWarnings("ArrayRecordComponent")
  public record LaterParticle(
      long id,
      double[][] track,
      Charge charge,
      Optional<String> label,
      List<Instant> seen,
      Map<String, List<Integer>> counts,
      Optional<Particle> parent) {}

  /** A record that may hold another of its own class. */
  public record Node(
      int value, Optional<Node> next, @Nullable String note, Pair<String, Node[]> rest) {}

  /** A record with type arguments. */
  public record Pair<A, B>(A first, List<B> second) {}

  /** A record that refuses some values by itself. */
  public record Share(double part) {
    public Share {
      if (part > 1) {
        throw new IllegalArgumentException("a part is at most 1, not " + part);
      }
    }
  }

  public static final Codec<Particle> PARTICLE = Codecs.of(Particle.class);
  public static final Codec<LaterParticle> LATER_PARTICLE = Codecs.of(LaterParticle.class);
  public static final Codec<Node> NODE = Codecs.of(Node.class);
  public static final Codec<Map<Charge, Particle>> BY_CHARGE =
      Codecs.mapOf(Charge.class, Particle.class);
  public static final Codec<List<List<double[]>>> LISTS =
      Codecs.listOf(Codecs.listOf(double[].class));
  public static final Codec<EnumMap<Charge, double[]>> BY_ENUM =
      Codecs.enumMapOf(Charge.class, Codecs.of(double[].class));
  public static final Codec<Optional<Instant>> MAYBE = Codecs.optionalOf(Codecs.of(Instant.class));
}
