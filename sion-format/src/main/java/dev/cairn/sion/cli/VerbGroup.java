package dev.cairn.sion.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command whose verbs do the work. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n")
abstract class VerbGroup implements Runnable {
  private static final List<String> VERSION_OPTIONS = List.of("--version", "-V");

  private final Map<String, Supplier<Object>> verbs = new LinkedHashMap<>();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Adds a verb; the help shows them in the order in which they were added. */
  final void add(String name, Supplier<Object> verb) {
    verbs.put(name, verb);
  }

  /** The command line with the verbs that {@code arguments} call. */
  final CommandLine lineFor(String... arguments) {
    CommandLine line = new CommandLine(this);
    for (String name : verbsFor(arguments)) {
      line.addSubcommand(name, verbs.get(name).get());
    }
    return line;
  }

  /** The verbs to build. Reading the options of all verbs takes longer than most verbs run. */
  final List<String> verbsFor(String... arguments) {
    if (arguments.length > 0 && verbs.containsKey(arguments[0])) {
      return List.of(arguments[0]);
    }
    boolean onlyVersion = arguments.length == 1 && VERSION_OPTIONS.contains(arguments[0]);
    return onlyVersion ? List.of() : List.copyOf(verbs.keySet());
  }

  @Override
  public void run() {
    List<String> names = new ArrayList<>(verbs.keySet());
    String last = names.remove(names.size() - 1);
    String question = "Which verb? " + String.join(", ", names) + " or " + last;
    throw new ParameterException(spec.commandLine(), question);
  }
}
