package dev.cairn.benchmarks.payload

import java.io.Serializable
import kotlin.random.Random

/** An object with an id and two references, as a row of a table. */
internal class Body : Serializable {
    var id = 0
    private var x = 0.0
    private var y = 0.0
    private var z = 0.0
    private var kind = 0
    private var age = 0
    private var leader: Body? = null
    private var partner: Body? = null

    /** What it holds, and to whom it leads. */
    private fun sum(): Long =
        id + x.toRawBits() + y.toRawBits() + z.toRawBits() + kind + age + 3L * leader!!.id + 5L * partner!!.id

    companion object {
        private const val serialVersionUID = 1L

        /** Each leads to bodies that stand before it, so that libraries that recurse need no deep stack. */
        fun some(count: Int): Array<Body> {
            val random = Random(2)
            val bodies = Array(count) { Body() }
            for ((index, body) in bodies.withIndex()) {
                body.id = index
                body.x = random.nextDouble()
                body.y = random.nextDouble()
                body.z = random.nextDouble()
                body.kind = random.nextInt(10)
                body.age = random.nextInt()
                body.leader = bodies[random.nextInt(index + 1)]
                body.partner = bodies[random.nextInt(index + 1)]
            }
            return bodies
        }

        fun sumOf(bodies: Array<Body>): Long = bodies.fold(0L) { sum, body -> sum * 31 + body.sum() }
    }
}
