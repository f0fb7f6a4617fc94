package dev.cairn.sion;

/**
 * All that one task must know to write its stream: small enough to be sent to it.
 *
 * @param task its number in the multifile
 * @param fileNumber the physical file that holds its chunks
 * @param start where its chunk in block 0 begins
 * @param stride from one of its chunks to the next
 * @param chunkSize the most bytes that a chunk of it holds
 */
public record TaskSlot(int task, int fileNumber, long start, long stride, long chunkSize) {}
