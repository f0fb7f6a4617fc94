package dev.cairn.store

import dev.cairn.house.Campaign.CRASH_POINTS
import dev.cairn.sion.store.BlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty

/** The power fails at every operation, and everything is lost that may be lost: what is found then is predicted. */
class CrashSpec :
    FunSpec({
        fun campaign(name: String, program: (Scene) -> Unit) =
            test(name) {
                val histogram = CrashHistogram().apply { crashEverywhere(::Scene, program) }
                println("CrashSpec, $name: $histogram")
                histogram.broken.shouldBeEmpty()
                histogram.states shouldBeGreaterThanOrEqual CRASH_POINTS.limit(500)
            }

        campaign("commits, from the first one in a new directory on") { scene ->
            val store = scene.host()
            store.own("a").use { owned -> repeat(3) { scene.promises.save(owned, store) } }
        }

        campaign("commits of two hosts") { scene ->
            val store = scene.host()
            store.own("a").use { owned -> repeat(3) { scene.promises.save(owned, store, scene.host("node1")) } }
        }

        campaign("a save that is given up between two good ones") { scene ->
            val store = scene.host()
            store.own("a").use { owned ->
                scene.promises.save(owned, store)
                repeat(3) { giveUp(owned, store) }
                scene.promises.save(owned, store)
            }
        }

        campaign("retention that keeps two") { scene ->
            val store = scene.host()
            store.own("a").use { owned ->
                scene.promises.save(owned, store)
                repeat(4) { saveAndRetain(owned, store, scene.promises, Retention.keepLast(2), kept = 2) }
            }
        }

        campaign("retention that keeps the newest alone") { scene ->
            val store = scene.host()
            store.own("a").use { owned ->
                repeat(5) { saveAndRetain(owned, store, scene.promises, Retention.keepOnlyNewest(), kept = 1) }
            }
        }

        campaign("retention with pins, every third save, and failed ones in between") { scene ->
            val store = scene.host()
            store.own("a").use { owned ->
                scene.promises.save(owned, store)
                owned.pin(
                    owned.store
                        .survey()
                        .saves
                        .single(),
                )
                repeat(5) {
                    giveUp(owned, store)
                    saveAndRetain(owned, store, scene.promises, Retention.keepLast(2).andEvery(3), kept = 3)
                }
            }
        }

        campaign("deleting the newest, and saving again") { scene ->
            val store = scene.host()
            store.own("a").use { owned ->
                repeat(2) { scene.promises.save(owned, store) }
                repeat(3) { saveAndDelete(owned, store, scene.promises) }
            }
        }
    })

private fun giveUp(owned: OwnedStore, store: BlockStore) {
    val save = owned.begin()
    save.writeData(store)
    save.abandon("rank 3 could not write")
}

/** Saves, and lets go of all but those that [retention] keeps, [kept] at least. */
private fun saveAndRetain(owned: OwnedStore, store: BlockStore, promises: Promises, retention: Retention, kept: Int) {
    promises.save(owned, store)
    promises.keep(kept)
    owned.retain(retention, wholeData(store)).total()
}

/** After a request to delete the newest, only the one before is promised; but its number is never used again. */
private fun saveAndDelete(owned: OwnedStore, store: BlockStore, promises: Promises) {
    val before = promises.committed
    promises.save(owned, store)
    promises.committed = before
    promises.goodCount--
    owned.remove(
        owned.store
            .survey()
            .saves
            .first(),
    )
}
