package dev.cairn.sion.store.simulated;

import dev.cairn.sion.store.Operation;

/**
 * The simulated power is off, so this operation did not take place.
 *
 * <p>It is not an {@link java.io.IOException}, because a program does not survive its host: code
 * that handles failed I/O must not take a crash for one and carry on.
 */
public final class SimulatedCrashException extends RuntimeException {
  SimulatedCrashException(String host, Operation operation, String reason) {
    super(String.format("%s on %s did not take place: %s", operation, host, reason));
  }
}
