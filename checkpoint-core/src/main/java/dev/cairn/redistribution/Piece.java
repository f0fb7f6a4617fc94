package dev.cairn.redistribution;

import dev.cairn.grid.Box;

/**
 * Cells of one frame that one rank wants. They travel in row-major order, that is, as {@code
 * Image.of(cells)}.
 *
 * @param rank the rank that wants them
 * @param boxNumber for which of its boxes
 * @param cells which cells
 * @param source where they lie in the frame: the image that holds them, counted in cells
 */
public record Piece(int rank, int boxNumber, Box cells, Image source) {}
