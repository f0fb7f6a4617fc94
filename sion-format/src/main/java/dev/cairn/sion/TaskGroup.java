package dev.cairn.sion;

import java.util.OptionalInt;

/**
 * The tasks with which a task shares file-system blocks.
 *
 * @param collector the number of the task that may write for all of them
 * @param taskCount how many they are
 * @param start where their chunks begin in block 0
 * @param size the bytes of all their chunks in one block
 * @param mergedPieceSize the size of the pieces into which the data of the others are cut, if all
 *     of them write the collector's stream
 */
public record TaskGroup(
    int collector, int taskCount, long start, long size, OptionalInt mergedPieceSize) {}
