package dev.cairn.sion;

/**
 * Where a task's stream lies.
 *
 * @param fileNumber the physical file
 * @param localRank the task's number in that file
 */
public record TaskPlace(int fileNumber, int localRank) {}
