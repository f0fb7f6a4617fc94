package dev.cairn.sion.netcdf

import kotlin.random.Random

/** A description of a small file with variables of any shapes and of [types]. */
internal fun randomSpec(
    random: Random,
    format: NetcdfFormat,
    types: List<NetcdfType> = NetcdfType.values().filter(format::has),
): NetcdfSpec {
    val fixed = List(random.nextInt(1, 5)) { "d$it" }
    val builder = NetcdfSpec.builder(format)
    val unlimited = random.nextInt(4) > 0
    val first = random.nextBoolean()
    if (unlimited && first) builder.unlimited("time")
    fixed.forEach { builder.dimension(it, random.nextLong(1, 6)) }
    if (unlimited && !first) builder.unlimited("time")
    repeat(random.nextInt(3)) {
        builder.attribute("a$it", randomValues(random, types.random(random), random.nextInt(1, 5)))
    }
    repeat(random.nextInt(6)) { number ->
        val type = types.random(random)
        val records = if (unlimited && random.nextBoolean()) listOf("time") else emptyList()
        builder.variable("v$number", type, records + List(random.nextInt(4)) { fixed.random(random) }) {
            if (random.nextBoolean()) it.attribute("units", listOf("K", "m s-1", "kg").random(random))
            if (random.nextInt(3) == 0) it.fillValue(randomValues(random, type, 1))
        }
    }
    return builder.build()
}

/** So many values of a type, whose bits are random; floating numbers are finite. */
internal fun randomValues(random: Random, type: NetcdfType, count: Int): Values =
    when (type) {
        NetcdfType.BYTE -> Values.of(random.nextBytes(count))
        NetcdfType.UBYTE -> Values.ofUnsigned(random.nextBytes(count))
        NetcdfType.CHAR -> Values.ofText(ByteArray(count) { random.nextInt('a'.code, 'z'.code).toByte() })
        NetcdfType.SHORT -> Values.of(ShortArray(count) { random.nextInt().toShort() })
        NetcdfType.USHORT -> Values.ofUnsigned(ShortArray(count) { random.nextInt().toShort() })
        NetcdfType.INT -> Values.of(IntArray(count) { random.nextInt() })
        NetcdfType.UINT -> Values.ofUnsigned(IntArray(count) { random.nextInt() })
        NetcdfType.INT64 -> Values.of(LongArray(count) { random.nextLong() })
        NetcdfType.UINT64 -> Values.ofUnsigned(LongArray(count) { random.nextLong() })
        NetcdfType.FLOAT -> Values.of(FloatArray(count) { random.nextInt(-100_000, 100_000) / 8f })
        NetcdfType.DOUBLE -> Values.of(DoubleArray(count) { random.nextDouble(-1e9, 1e9) })
    }

internal fun numbers(vararg numbers: Int): Values = Values.of(numbers)

internal fun numbers(vararg numbers: Long): Values = Values.of(numbers)

internal fun numbers(vararg numbers: Double): Values = Values.of(numbers)

/** What `ncgen` makes the same file of. */
internal fun cdl(spec: NetcdfSpec): String =
    buildString {
        appendLine("netcdf file {")
        if (spec.dimensions().isNotEmpty()) appendLine("dimensions:")
        spec.dimensions().forEach {
            appendLine(
                "  ${it.name()} = ${if (it.isUnlimited) "UNLIMITED" else it.length()} ;",
            )
        }
        if (spec.variables().isNotEmpty()) appendLine("variables:")
        spec.variables().forEach { variable ->
            val dimensions = variable.dimensions().joinToString { it.name() }
            appendLine(
                "  ${variable.type().name.lowercase()} ${variable.name()}${if (dimensions.isEmpty()) "" else "($dimensions)"} ;",
            )
            variable.attributes().forEach { appendLine("  ${variable.name()}:${cdl(it)} ;") }
        }
        spec.attributes().forEach { appendLine("  :${cdl(it)} ;") }
        appendLine("}")
    }

private fun cdl(attribute: Attribute): String {
    val values =
        when (attribute.type()) {
            NetcdfType.CHAR -> "\"${attribute.text()}\""
            NetcdfType.FLOAT -> attribute.doubles().joinToString { "${it}f" }
            NetcdfType.DOUBLE -> attribute.doubles().joinToString()
            NetcdfType.UINT64 -> attribute.longs().joinToString { "${it.toULong()}ULL" }
            else -> attribute.longs().joinToString { "$it${SUFFIXES.getValue(attribute.type())}" }
        }
    return "${attribute.name()} = $values"
}

private val SUFFIXES =
    mapOf(
        NetcdfType.BYTE to "b",
        NetcdfType.SHORT to "s",
        NetcdfType.INT to "",
        NetcdfType.UBYTE to "UB",
        NetcdfType.USHORT to "US",
        NetcdfType.UINT to "U",
        NetcdfType.INT64 to "LL",
    )
