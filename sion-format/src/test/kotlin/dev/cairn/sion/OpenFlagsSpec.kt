package dev.cairn.sion

import dev.cairn.sion.fixture.Fixtures
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteOrder
import java.nio.file.Path

/** Each open flag of the C library says what it says there, or is refused. */
class OpenFlagsSpec :
    FunSpec({
        val plain = MultifileSpec.parallel(Path.of("x.sion"))

        listOf("w", "wb", "bw", "w,ansi", "posix,bw", "wb,ansi,posix", "w,sionfwd", "w,buffered,compress", "w,wb")
            .forEach { flags ->
                test("'$flags' changes nothing") { plain.withFlags(flags) shouldBe plain }
            }

        test("what the spec was before stays, where no flag speaks of it") {
            val before = plain.withBlockSize(512).withContent(Content.RECORDS).withGrouping(Grouping.whereSmall())
            before.withFlags("bw,buddy=2") shouldBe before.withBuddyLevels(2)
        }

        mapOf(
            "w,keyval" to Content.RECORDS,
            "w,keyval=inline" to Content.RECORDS,
            "keyval=default,w" to Content.RECORDS,
            "w,keyval=none" to Content.BYTES,
            "w" to Content.BYTES,
        ).forEach { (flags, content) ->
            test("'$flags' asks for $content") { plain.withFlags(flags).content() shouldBe content }
        }

        mapOf("w,endianness=big" to ByteOrder.BIG_ENDIAN, "w,endianness=little" to ByteOrder.LITTLE_ENDIAN)
            .forEach { (flags, order) ->
                test("'$flags' notes $order user data, and leaves the meta data alone") {
                    plain.withFlags(flags).userDataOrder() shouldBe order
                    plain.withFlags(flags).metaDataOrder() shouldBe ByteOrder.LITTLE_ENDIAN
                }
            }

        mapOf(
            "w,collective" to "few",
            "collsize=-1,w,collective" to "few",
            "w,collective,collsize=0" to "few",
            "w,collective,collsize=4" to "about 4",
            "w,collsize=3,collectivemerge,collective" to "about 3, merged",
            "w,collective,cmerge" to "few, merged",
        ).forEach { (flags, groups) ->
            test("'$flags' makes groups: $groups") { plain.withFlags(flags).grouping().toString() shouldBe groups }
        }

        test("'collective' with 'buddy' leaves the groups to the buddies, and the multifile can be planned") {
            val flagged = plain.withFlags("bw,collective,buddy")
            flagged shouldBe plain.withBuddyLevels(1)
            val spec = flagged.withBlockSize(512).withMapping(FileMapping.contiguous(2))
            MultifileLayout.plan(spec, TaskRequest.equal(4, 100)).buddies().size shouldBe 1
        }

        mapOf("w,buddy" to 1, "w,buddy=3" to 3, "w" to 0).forEach { (flags, levels) ->
            test("'$flags' makes $levels levels of buddies") { plain.withFlags(flags).buddyLevels() shouldBe levels }
        }

        mapOf(
            "keyval" to "'keyval' has none of w, wb and bw, so it creates nothing.",
            "" to "'' has none of w, wb and bw, so it creates nothing.",
            "w,rb" to "'rb' opens for reading: use Multifile.open.",
            "w, collective" to "' collective' is no open flag of SIONlib, which are words without blanks.",
            "w,colective" to "'colective' is no open flag of SIONlib, which are words without blanks.",
            "w," to "'' is no open flag of SIONlib, which are words without blanks.",
            "w,keyval=meta" to "keyval is inline, default or none, not 'meta'.",
            "w,keyval=hash" to "keyval is inline, default or none, not 'hash'.",
            "w,keyval=unknown" to "keyval is inline, default or none, not 'unknown'.",
            "w,keyval=" to "keyval is inline, default or none, not ''.",
            "w,endianness=middle" to "endianness is big or little, not 'middle'.",
            "w,endianness" to "endianness is big or little, not ''.",
            "w,collective,collsize=four" to "collsize is a number, not 'four'.",
            "w,collective,collsize" to "collsize is a number, not ''.",
            "w,collective,collsize=-2" to "collsize is a number of tasks, or -1 to leave it open, not -2.",
            "w,collsize=4" to "'collsize' says something about 'collective', which is not there.",
            "w,cmerge" to "'cmerge' says something about 'collective', which is not there.",
            "w,collective=4" to "'collective' has no value, but was given '4'.",
            "w=1" to "'w' has no value, but was given '1'.",
            "w,buddy=many" to "buddy is a number, not 'many'.",
            "w,buddy=1,buddy=2" to "'buddy' is there twice: leave one out.",
            "w,collmsa" to
                "'collmsa' does not say how many tasks a group has: use FileMapping.collectorsFirst and" +
                " Grouping.ofExactly.",
        ).forEach { (flags, sentence) ->
            test("'$flags' is refused") {
                shouldThrow<IllegalArgumentException> { plain.withFlags(flags) }.message shouldBe "x.sion: $sentence"
            }
        }

        Fixtures.all.filter { "collmsa" !in it.flags }.forEach { fixture ->
            test("the flags with which C wrote ${fixture.name} ask for the same here") {
                val asked = fixture.spec(Path.of("."))
                val flagged = plain.withFlags(fixture.flags.joinToString(","))
                flagged.content() shouldBe asked.content()
                flagged.buddyLevels() shouldBe asked.buddyLevels()
                flagged.grouping().toString() shouldBe asked.grouping().toString()
            }
        }
    })
