package dev.cairn.command

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.PrintWriter
import java.io.StringWriter
import java.util.Optional

class ProgressSpec :
    FunSpec({
        val halfASecond = 500_000_000L
        val megabyte = 1L shl 20

        test("long work is painted and wiped") {
            val screen = StringWriter()
            var now = 0L
            Progress(Optional.of(PrintWriter(screen)), { now }, "split x.sion", 4 * megabyte).use {
                now += halfASecond
                it.advance(megabyte)
                it.advance(megabyte)
                now += halfASecond
                it.advance(megabyte)
            }

            val first = "split x.sion: 1.00 of 4.00 MB"
            val second = "split x.sion: 3.00 of 4.00 MB"
            val wiped = "\r" + " ".repeat(first.length) + "\r"
            screen.toString() shouldBe "\r\r$first$wiped$second$wiped"
        }

        test("short work shows nothing") {
            val screen = StringWriter()
            Progress(Optional.of(PrintWriter(screen)), { 0 }, "split x.sion", megabyte).use { it.advance(megabyte) }

            screen.toString() shouldBe ""
        }
    })
