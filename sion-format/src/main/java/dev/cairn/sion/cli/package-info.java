/**
 * The command {@code sion}. {@link dev.cairn.sion.cli.SionCommand} is its main class; each verb is
 * a class beside it. It sees multifiles only through the public face of {@code dev.cairn.sion}.
 * Public classes here are for the command {@code cairn}, which shares its output and error format.
 */
package dev.cairn.sion.cli;
