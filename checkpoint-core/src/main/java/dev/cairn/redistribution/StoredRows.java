package dev.cairn.redistribution;

/**
 * Consecutive rows as one writer stored them.
 *
 * @param writer who stored them
 * @param first the number of the first one among the writer's rows
 * @param count how many they are
 * @param globalFirst the number of the first one among the rows of all writers
 */
public record StoredRows(int writer, long first, long count, long globalFirst) {}
