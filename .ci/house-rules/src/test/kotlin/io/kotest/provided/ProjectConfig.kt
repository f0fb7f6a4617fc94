package io.kotest.provided

import dev.cairn.house.OutsideSpecs
import dev.cairn.house.Speed
import io.kotest.core.config.AbstractProjectConfig
import io.kotest.core.extensions.Extension
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes

/** What holds for the tests of all modules. Kotest finds it by its name. */
object ProjectConfig : AbstractProjectConfig() {
    /** A long campaign takes as long as it takes. */
    private val patience = if (Speed.chosen >= Speed.LONG) 7.days else 10.minutes

    override val timeout: Duration = patience
    override val invocationTimeout: Duration = patience

    override val extensions: List<Extension> = listOf(OutsideSpecs)
}
