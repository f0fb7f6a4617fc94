package dev.cairn.redistribution;

import java.util.List;

/**
 * A frame of a stored field, and the pieces of it that ranks receive.
 *
 * @param writer the rank that stored it
 * @param index its number among the frames of the writer's item
 * @param position where it begins, in bytes from the start of the writer's item
 * @param size its size in bytes
 * @param images all its cells, in the order of their bytes
 * @param pieces the cells that some rank wants, in the order in which they are sent
 */
public record Frame(
    int writer, long index, long position, int size, List<Image> images, List<Piece> pieces) {}
