import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TimeRing } from './time-ring.ts'

it('holds the newest times after any sequence of additions, removals and reads', () => {
  const max = 11
  const steps = fc.array(fc.tuple(fc.constantFrom('add', 'drop', 'count'), fc.nat(8)), { maxLength: 80 })
  fc.assert(
    fc.property(steps, (drawn) => {
      const ring = new TimeRing()
      let model: number[] = []
      let now = 0
      for (const [kind, size] of drawn) {
        now += size >> 1
        if (kind === 'add') {
          ring.add(now, max)
          model = [...model, now].slice(-max)
        }
        if (kind === 'drop') {
          ring.drop(now - size)
          model = model.filter((at) => at > now - size)
        }
        expect(ring.countAfter(now - size)).toBe(model.filter((at) => at > now - size).length)
        expect(ring.length).toBe(model.length)
        expect(ring.newest).toBe(model.at(-1) ?? Number.NEGATIVE_INFINITY)
        for (let n = 1; n <= model.length; n += 1) expect(ring.nthNewest(n)).toBe(model.at(-n))
      }
    }),
  )
})
