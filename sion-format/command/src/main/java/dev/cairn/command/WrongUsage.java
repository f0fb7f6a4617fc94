package dev.cairn.command;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes what is wrong with the arguments of a command. */
public final class WrongUsage {
  private WrongUsage() {}

  /** A sentence: which verb, what is wrong, and where its help is. */
  public static String sentence(ParameterException wrong) {
    String verb = wrong.getCommandLine().getCommandSpec().qualifiedName();
    return String.format("%s: %s. Try '%s --help'.", verb, flaw(wrong), verb);
  }

  /** An unknown option leaves arguments over that would be right without it; they are not named. */
  private static String flaw(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
      List<String> options =
          unmatched.getUnmatched().stream().filter(argument -> argument.startsWith("-")).toList();
      String label = options.size() == 1 ? "Unknown option: " : "Unknown options: ";
      return options.stream().collect(Collectors.joining("', '", label + "'", "'"));
    }
    return String.valueOf(wrong.getMessage());
  }
}
