package dev.cairn.house

import io.kotest.core.annotation.Tags
import io.kotest.core.descriptors.Descriptor
import io.kotest.core.extensions.EnabledExtension
import io.kotest.core.test.Enabled

/**
 * The tag of specs that see Cairn from outside: finished jars and their scripts, the projects of others, a browser, programs in processes
 * of their own but for those of one kill, and benchmarks. Such a spec takes many processes, so it runs at every speed but the small one.
 */
const val OUTSIDE = "Outside"

/** Leaves out the tests of specs with that tag. */
internal object OutsideSpecs : EnabledExtension {
    override suspend fun isEnabled(descriptor: Descriptor): Enabled {
        if (descriptor.isSpec()) return Enabled.enabled
        val spec = Class.forName(descriptor.spec().id.value)
        val tags = spec.getAnnotation(Tags::class.java)?.values.orEmpty()
        return Need.CAMPAIGN.given(OUTSIDE !in tags || Speed.chosen > Speed.SMALL).also { note(descriptor, it) }
    }
}
