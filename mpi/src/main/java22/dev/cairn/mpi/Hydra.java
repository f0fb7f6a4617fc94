package dev.cairn.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * MPICH's launcher mpiexec, which talks with each process over a socket, in lines of text (PMI 1).
 * It kills the others when a process ends that has not taken its leave there, as MPI_Finalize does.
 * Then its own exit code is 9, or that of the first process, by chance.
 */
final class Hydra {
  private static final String SOCKET = "PMI_FD";

  /** Only this launcher sets it; others that speak PMI let each process end by itself. */
  private static final String MARK = "MPI_LOCALNRANKS";

  /** All threads have stopped before they go on. */
  private static final String STOP_AND_GO =
      "kill -STOP $1; "
          + "while grep -h ^State: /proc/$1/task/*/status | grep -qv '[Tt] ('; do :; done; "
          + "kill -CONT $1";

  private static final byte[] FAREWELL = "cmd=finalize\n".getBytes(StandardCharsets.US_ASCII);
  private static final short POLLIN = 1;
  private static final int ANSWER_MILLIS = 1000;

  private Hydra() {}

  /** Takes leave of the launcher in place of an MPI_Finalize that does not return. */
  static void leave(Map<String, String> environment) {
    String socket = environment.get(SOCKET);
    if (socket == null || !environment.containsKey(MARK)) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      int own = takeAway(Integer.parseInt(socket), arena);
      say(own, arena);
      awaitAnswer(own, arena);
    } catch (IOException failure) {
      // The process ends without leave, and mpiexec kills those that are left.
      return;
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
    } catch (Throwable failure) {
      throw NativeLibrary.unexpected("a function of C", failure);
    }
  }

  /**
   * MPI_Finalize may wait for an answer at this very socket, and would take this one for its own.
   * So the number of the socket becomes that of a pipe where nothing ever arrives. A read that has
   * begun goes on at the old file, but a process that was stopped begins its reads anew.
   *
   * @return another number of the socket
   */
  private static int takeAway(int socket, Arena arena) throws Throwable {
    int own = (int) ofInts("dup", 1).invokeExact(socket);
    MemorySegment pipe = arena.allocate(JAVA_INT, 2);
    int ignored =
        (int) NativeLibrary.ofC("pipe", FunctionDescriptor.of(JAVA_INT, ADDRESS)).invokeExact(pipe);
    ignored = (int) ofInts("dup2", 2).invokeExact(pipe.get(JAVA_INT, 0), socket);
    long pid = ProcessHandle.current().pid();
    new ProcessBuilder("sh", "-c", STOP_AND_GO, "sh", "" + pid).start().waitFor();
    return own;
  }

  private static void say(int socket, Arena arena) throws Throwable {
    MemorySegment farewell = arena.allocateFrom(JAVA_BYTE, FAREWELL);
    FunctionDescriptor ofWrite = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    long ignored =
        (long)
            NativeLibrary.ofC("write", ofWrite)
                .invokeExact(socket, farewell, (long) FAREWELL.length);
  }

  /** A launcher that has not answered yet would find the process gone, and the socket closed. */
  private static void awaitAnswer(int socket, Arena arena) throws Throwable {
    MemorySegment question =
        arena.allocate(MemoryLayout.structLayout(JAVA_INT, JAVA_SHORT, JAVA_SHORT));
    question.set(JAVA_INT, 0, socket);
    question.set(JAVA_SHORT, Integer.BYTES, POLLIN);
    FunctionDescriptor ofPoll = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    int ignored = (int) NativeLibrary.ofC("poll", ofPoll).invokeExact(question, 1L, ANSWER_MILLIS);
  }

  private static MethodHandle ofInts(String function, int count) {
    MemoryLayout[] arguments = new MemoryLayout[count];
    Arrays.fill(arguments, JAVA_INT);
    return NativeLibrary.ofC(function, FunctionDescriptor.of(JAVA_INT, arguments));
  }
}
