package dev.cairn.redistribution;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * How a {@link CellDigest} is computed. A checkpoint keeps the formula of the format in which it
 * was written; {@code docs/reference/checkpoint.md}, section 6, has both with their test vectors.
 */
@SuppressWarnings("ImmutableEnumChecker") // constructors hold nothing
public enum DigestFormula {
  /** That of format 1: every cell is mixed for itself. */
  MIXES(MixFormula.MixedCells::new, MixFormula.MixedRows::new, MixFormula.SingleBytes::new),

  /** That of format 2: a cell costs one multiplication for each sum. */
  PRODUCTS(
      ProductFormula.ProductsOfCells::new,
      ProductFormula.ProductsOfRows::new,
      ProductFormula.BytesInWords::new);

  /** That of new checkpoints. */
  public static final DigestFormula NEWEST = PRODUCTS;

  private final Supplier<CellSums> cellSums;
  private final Supplier<RowSums> rowSums;
  private final LongFunction<ByteDigester> bytes;

  DigestFormula(
      Supplier<CellSums> cellSums, Supplier<RowSums> rowSums, LongFunction<ByteDigester> bytes) {
    this.cellSums = cellSums;
    this.rowSums = rowSums;
    this.bytes = bytes;
  }

  /** A digester of cells that have numbers. */
  public CellDigester cells() {
    return new CellDigester(cellSums.get());
  }

  /** A digester of the bytes of one value, which begin at {@code firstNumber}. */
  public ByteDigester bytes(long firstNumber) {
    return bytes.apply(firstNumber);
  }

  /**
   * The digest of the first {@code rowCount} rows of a table as if in a bag: it depends on which
   * rows there are, and how often, but neither on their order nor on which rank has them. So the
   * digests of the rows of all ranks add up to the same, however rows have moved between them.
   */
  public CellDigest rows(List<Cells> columns, int rowCount, RowWitness witness) {
    return new RowDigester(columns, rowSums.get(), witness).digest(rowCount);
  }

  public CellDigest rows(List<Cells> columns, int rowCount) {
    return rows(columns, rowCount, RowWitness.NONE);
  }
}
