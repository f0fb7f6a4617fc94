/**
 * The command {@code sion}. {@link dev.cairn.sion.cli.SionCommand} is its main class; each verb is
 * a class beside it. It sees multifiles only through the public face of {@code dev.cairn.sion}.
 * What is public here is for the command {@code cairn}, which talks to people in the same way.
 */
package dev.cairn.sion.cli;
