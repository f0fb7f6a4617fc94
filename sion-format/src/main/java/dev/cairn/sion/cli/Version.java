package dev.cairn.sion.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code sion version} and {@code --version} print. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "sion " + number() + ", writes SION format 5 as SIONlib 1.7.6 does, reads formats 2 to 5"
    };
  }

  /** Only the jar holds the version; classes in a folder are a development build. */
  private static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("(unpackaged)");
  }
}
