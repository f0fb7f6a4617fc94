package dev.cairn.sion.netcdf

import dev.cairn.sion.netcdf.NetcdfFormat.CDF_1
import dev.cairn.sion.netcdf.NetcdfFormat.CDF_2
import dev.cairn.sion.netcdf.NetcdfFormat.CDF_5
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** What a format has no room for is refused in words before a file is created. */
class FormatLimitsSpec :
    FunSpec({
        fun builder(format: NetcdfFormat) = NetcdfSpec.builder(format)

        fun NetcdfSpec.Builder.planned() = NetcdfLayout.plan(build())

        fun refusal(plan: () -> Unit): String = shouldThrow<IllegalArgumentException> { plan() }.message.orEmpty()

        test("types of CDF-5 in an older format") {
            refusal { builder(CDF_2).variable("n", NetcdfType.INT64).planned() } shouldBe
                "variable n has the type INT64, which only CDF-5 has, not CDF-2."
            refusal { builder(CDF_1).attribute("id", numbers(1L)).planned() } shouldBe
                "attribute id of the file has the type INT64, which only CDF-5 has, not CDF-1."
            builder(CDF_5).variable("n", NetcdfType.INT64).attribute("id", numbers(1L)).planned()
        }

        test("attributes that would be too large for a reader") {
            fun attribute(size: Int) = builder(CDF_5).attribute("a", Values.of(ByteArray(size)))
            refusal { attribute((1 shl 26) + 1).planned() } shouldBe
                "attribute a of the file has 67108865 bytes, but at most 67108864 are possible. " +
                "Store its values in a variable."
            attribute(1 shl 26).planned()
        }

        test("dimensions that are too long") {
            refusal { builder(CDF_1).dimension("x", (1L shl 31) - 3).planned() } shouldBe
                "dimension x has the length 2147483645, but in CDF-1 the most is 2147483644. Choose CDF-2 or CDF-5."
            builder(CDF_1).dimension("x", (1L shl 31) - 4).planned()
            refusal { builder(CDF_2).dimension("x", (1L shl 32) - 3).planned() } shouldBe
                "dimension x has the length 4294967293, but in CDF-2 the most is 4294967292. Choose CDF-5."
            builder(CDF_2).dimension("x", (1L shl 32) - 4).planned()
            refusal { builder(CDF_5).dimension("x", 0) } shouldBe
                "dimension x should have a length of at least 1, not 0; only one that is declared unlimited has none."
        }

        test("variables that are too large, unless they are the last ones") {
            fun large(format: NetcdfFormat) = builder(format).dimension("x", 1L shl 30)
            refusal { large(CDF_2).variable("a", NetcdfType.INT, "x").variable("b", NetcdfType.INT).planned() } shouldBe
                "variable a has 4294967296 bytes, but in CDF-2 only the last variable may have more than 4294967292, " +
                "if no others have records. Declare it last, or choose CDF-5."
            large(CDF_2).variable("b", NetcdfType.INT).variable("a", NetcdfType.INT, "x").planned()
            large(CDF_5).variable("a", NetcdfType.INT, "x").variable("b", NetcdfType.INT).planned()

            fun growing() = large(CDF_2).unlimited("time")
            refusal { growing().variable("a", NetcdfType.INT, "x").variable("r", NetcdfType.INT, "time").planned() }
                .substringBefore(',') shouldBe "variable a has 4294967296 bytes"
            refusal {
                growing()
                    .variable(
                        "r",
                        NetcdfType.INT,
                        "time",
                        "x",
                    ).variable("s", NetcdfType.INT, "time")
                    .planned()
            }.substringBefore(',') shouldBe "variable r has 4294967296 bytes in each record"
            growing().variable("s", NetcdfType.INT, "time").variable("r", NetcdfType.INT, "time", "x").planned()
        }

        test("variables of CDF-1 that begin at 2 GiB or later") {
            fun twoVariables(format: NetcdfFormat) =
                builder(format)
                    .dimension("x", 1L shl 29)
                    .variable("a", NetcdfType.SHORT, "x")
                    .variable("b", NetcdfType.SHORT, "x")
                    .variable("c", NetcdfType.SHORT, "x")
            refusal { twoVariables(CDF_1).planned() } shouldBe
                "variable c would begin at byte 2147483800, but in CDF-1 the last possible one is 2147483647. " +
                "Choose CDF-5."
            twoVariables(CDF_2).planned()
        }

        test("names that other programs refuse or could not find again") {
            mapOf(
                "" to "has 1 to 256 bytes in UTF-8, not 0",
                "x".repeat(257) to "has 1 to 256 bytes in UTF-8, not 257",
                "a/b" to "has neither a slash nor a control character",
                "a\tb" to "has neither a slash nor a control character",
                "-a" to "begins with a letter, a digit or an underscore",
                "a " to "does not end in a space",
                "a\ud800" to "has no unpaired surrogate",
                "o\u0308" to "is in the normalization form NFC",
            ).forEach { (name, rule) ->
                refusal { builder(CDF_1).dimension(name, 1).planned() } shouldBe
                    "the name of a dimension $rule: '$name' is not allowed."
                refusal { builder(CDF_1).variable(name, NetcdfType.INT).planned() }
                refusal { builder(CDF_1).attribute(name, "text").planned() }
            }
            builder(CDF_1).dimension("_höhe über 0 (m)", 1).planned()
        }

        test("what contradicts itself") {
            refusal { builder(CDF_1).unlimited("t").unlimited("u").build() } shouldBe
                "dimensions t and u have no length, but at most one may be unlimited."
            refusal { builder(CDF_1).unlimited("t").dimension("x", 2).variable("v", NetcdfType.INT, "x", "t") } shouldBe
                "variable v has the unlimited dimension t as its number 1, but only the first one may be unlimited."
            refusal { builder(CDF_1).variable("v", NetcdfType.INT, "x") } shouldBe
                "there is no dimension x: declare it first."
            refusal { builder(CDF_1).dimension("x", 1).dimension("x", 2).build() } shouldBe
                "dimension: the name x occurs twice."
            refusal { builder(CDF_1).variable("v", NetcdfType.INT).variable("v", NetcdfType.INT).build() } shouldBe
                "variable: the name v occurs twice."
            refusal {
                builder(CDF_1).variable("v", NetcdfType.INT, listOf()) { it.attribute("a", "").attribute("a", "") }
            } shouldBe "attribute of variable v: the name a occurs twice."
            refusal {
                builder(CDF_1).variable("v", NetcdfType.INT, listOf()) { it.fillValue(numbers(1.5)) }.planned()
            } shouldBe "the _FillValue of variable v should be one INT, but is 1 of type DOUBLE."
        }

        test("sizes of 2^63 bytes and more") {
            fun huge(format: NetcdfFormat) = builder(format).dimension("x", 1L shl 31).dimension("y", 1L shl 31)
            refusal { huge(CDF_5).variable("v", NetcdfType.SHORT, "x", "y") } shouldBe
                "variable v is larger than 2^63 - 4 bytes."
            refusal {
                huge(CDF_5).variable("v", NetcdfType.BYTE, "x", "y").variable("w", NetcdfType.BYTE, "x", "y").planned()
            } shouldBe "a file with these variables is larger than 2^63 - 1 bytes."
            val layout =
                builder(
                    CDF_5,
                ).unlimited("t").dimension("x", 1L shl 40).variable("v", NetcdfType.BYTE, "t", "x").planned()
            layout.mostRecords() shouldBe (1L shl 23) - 1
            refusal { layout.size(1L shl 23) } shouldBe "this file can have 0 to 8388607 records, not 8388608."
        }
    })
