package dev.cairn.examples

import dev.cairn.java.BlockingSimulation

/** The heat of the Java example, on a small plate. Its first argument is the last step; the others are Cairn's. */
internal fun main(args: Array<String>) =
    BlockingSimulation.main("heat", args.drop(1).toTypedArray()) { sim ->
        HeatInJava.heat(sim, 64, args[0].toLong())
    }
