package dev.cairn.examples.chain;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** What a run is asked to do, as read from a properties file and checked. */
record Settings(
    Path dataFile, // null if the data are synthetic
    long dataSeed,
    int sweeps,
    int burnIn,
    int thinning,
    double[] temperatures,
    int threads,
    long mainSeed,
    long workerSeed,
    Path samplesFile,
    Path swapsFile,
    Path summaryFile) {

  /** Reads and checks a settings file. */
  static Settings load(String name) throws SettingsException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(name))) {
      properties.load(reader);
      Settings settings = from(properties);
      Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
      require(unknown.isEmpty(), "These settings are not known: " + unknown + ".");
      return settings;
    } catch (IOException | IllegalArgumentException e) {
      throw new SettingsException("The settings file " + name + " can't be read (" + e + ").");
    }
  }

  /** Takes each setting out of the properties, so that the unknown ones are left. */
  private static Settings from(Properties properties) throws SettingsException {
    boolean fromFile = properties.containsKey("data.file");
    require(
        fromFile != properties.containsKey("data.seed"),
        "Exactly one of data.file and data.seed must be set.");
    Path dataFile = fromFile ? path(properties, "data.file") : null;
    long dataSeed = fromFile ? 0 : seed(properties, "data.seed");
    int sweeps = (int) number(properties, "sweeps", 2, 100_000_000);
    double[] temperatures = temperatures(text(properties, "temperatures"));
    Settings settings =
        new Settings(
            dataFile,
            dataSeed,
            sweeps,
            (int) number(properties, "burnin", 1, sweeps - 1),
            (int) number(properties, "thinning", 1, sweeps),
            temperatures,
            (int) number(properties, "threads", 1, temperatures.length),
            seed(properties, "seed.main"),
            seed(properties, "seed.workers"),
            output(properties, "output.samples"),
            output(properties, "output.swaps"),
            output(properties, "output.summary"));
    Set<Path> files = new HashSet<>();
    for (Path path : List.of(settings.samplesFile, settings.swapsFile, settings.summaryFile)) {
      require(files.add(path), "More than one output would go to " + path + ".");
      require(!path.equals(settings.dataFile), "The data file " + path + " would be lost.");
    }
    return settings;
  }

  private static String text(Properties properties, String key) throws SettingsException {
    Object value = properties.remove(key);
    require(value != null && !value.toString().isBlank(), "The setting " + key + " is missing.");
    return value.toString().trim();
  }

  private static long seed(Properties properties, String key) throws SettingsException {
    return number(properties, key, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static long number(Properties properties, String key, long least, long most)
      throws SettingsException {
    String value = text(properties, key);
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, as a number out of range is.
    }
    throw new SettingsException(
        "The setting %s must be a whole number from %d to %d, not '%s'."
            .formatted(key, least, most, value));
  }

  private static double[] temperatures(String text) throws SettingsException {
    double[] temperatures;
    try {
      temperatures = Arrays.stream(text.split(",")).mapToDouble(Double::parseDouble).toArray();
    } catch (NumberFormatException e) {
      throw new SettingsException("The temperatures must be numbers, not '" + text + "'.");
    }
    boolean rising = temperatures.length >= 3 && temperatures[0] == 1;
    for (int i = 1; i < temperatures.length; i++) {
      rising &= temperatures[i] > temperatures[i - 1] && Double.isFinite(temperatures[i]);
    }
    require(rising, "There must be three temperatures or more, the first 1, and they must rise.");
    return temperatures;
  }

  private static Path path(Properties properties, String key) throws SettingsException {
    return Path.of(text(properties, key)).toAbsolutePath().normalize();
  }

  private static Path output(Properties properties, String key) throws SettingsException {
    Path path = path(properties, key);
    require(
        path.getParent() != null && Files.isDirectory(path.getParent()) && !Files.isDirectory(path),
        "The setting " + key + " must name a file in a folder that exists, not " + path + ".");
    return path;
  }

  private static void require(boolean holds, String sentence) throws SettingsException {
    if (!holds) {
      throw new SettingsException(sentence);
    }
  }
}
