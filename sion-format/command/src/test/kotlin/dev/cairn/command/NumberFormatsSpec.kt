package dev.cairn.command

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** The expected texts are what C's printf prints for "%.2f", "%.6f" and "%0Nld". */
class NumberFormatsSpec :
    FunSpec({
        val megabyte = 1L shl 20

        test("megabytes round halves to even") {
            NumberFormats.megabytes(megabyte / 8) shouldBe "0.12"
            NumberFormats.megabytes(3 * megabyte / 8) shouldBe "0.38"
            NumberFormats.megabytes(5 * megabyte / 8) shouldBe "0.62"
            NumberFormats.megabytes(megabyte / 8 + 1) shouldBe "0.13"
            NumberFormats.megabytes(megabyte / 8 - 1) shouldBe "0.12"
        }

        test("megabytes carry into the next whole one") {
            NumberFormats.megabytes(megabyte - 1) shouldBe "1.00"
            NumberFormats.megabytes(8 * megabyte - 1) shouldBe "8.00"
        }

        test("megabytes have no largest size") {
            NumberFormats.megabytes(Long.MAX_VALUE) shouldBe "8796093022208.00"
        }

        test("fewer than no megabytes keep their sign") {
            NumberFormats.megabytes(-1) shouldBe "-0.00"
            NumberFormats.megabytes(-3 * megabyte / 2) shouldBe "-1.50"
        }

        test("percent round the double that C computes") {
            NumberFormats.percent(1, 3) shouldBe "33.333333"
            NumberFormats.percent(1, 12800) shouldBe "0.007812"
            NumberFormats.percent(3, 12800) shouldBe "0.023438"
            NumberFormats.percent(5, 5) shouldBe "100.000000"
        }

        test("a sign counts as one of the zero-filled characters") {
            NumberFormats.zeroFilled(42, 5) shouldBe "00042"
            NumberFormats.zeroFilled(-1, 12) shouldBe "-00000000001"
            NumberFormats.zeroFilled(123456, 2) shouldBe "123456"
            NumberFormats.zeroFilled(Long.MIN_VALUE, 12) shouldBe "-9223372036854775808"
        }
    })
