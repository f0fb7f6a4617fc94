/**
 * The command {@code sion}. {@link dev.cairn.sion.cli.SionCommand} is its main class; each verb is
 * a class beside it. It sees multifiles only through the public face of {@code dev.cairn.sion}.
 */
package dev.cairn.sion.cli;
