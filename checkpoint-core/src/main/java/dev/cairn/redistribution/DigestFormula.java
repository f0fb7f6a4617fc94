package dev.cairn.redistribution;

import java.util.List;

/**
 * How a {@link CellDigest} is computed. A checkpoint keeps the formula of the format in which it
 * was written; {@code docs/checkpoint-format.md}, section 6, has both with their test vectors.
 */
public enum DigestFormula {
  /** That of format 1: every cell is mixed for itself. */
  MIXES {
    @Override
    CellSums cellSums() {
      return new MixFormula.MixedCells();
    }

    @Override
    RowSums rowSums() {
      return new MixFormula.MixedRows();
    }

    @Override
    public ByteDigester bytes(long firstNumber) {
      return new MixFormula.SingleBytes(firstNumber);
    }
  },

  /** That of format 2: a cell costs one multiplication for each sum. */
  PRODUCTS {
    @Override
    CellSums cellSums() {
      return new ProductFormula.ProductsOfCells();
    }

    @Override
    RowSums rowSums() {
      return new ProductFormula.ProductsOfRows();
    }

    @Override
    public ByteDigester bytes(long firstNumber) {
      return new ProductFormula.BytesInWords(firstNumber);
    }
  };

  /** That of new checkpoints. */
  public static final DigestFormula NEWEST = PRODUCTS;

  abstract CellSums cellSums();

  abstract RowSums rowSums();

  /** A digester of cells that have numbers. */
  public CellDigester cells() {
    return new CellDigester(cellSums());
  }

  /** A digester of the bytes of one value, which begin at {@code firstNumber}. */
  public abstract ByteDigester bytes(long firstNumber);

  /**
   * The digest of the first {@code rowCount} rows of a table as if in a bag: it depends on which
   * rows there are, and how often, but neither on their order nor on which rank has them. So the
   * digests of the rows of all ranks add up to the same, however rows have moved between them.
   */
  public CellDigest rows(List<Cells> columns, int rowCount, RowWitness witness) {
    return new RowDigester(columns, rowSums(), witness).digest(rowCount);
  }

  public CellDigest rows(List<Cells> columns, int rowCount) {
    return rows(columns, rowCount, RowWitness.NONE);
  }
}
