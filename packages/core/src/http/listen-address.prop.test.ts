import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAllowed, listenProtocols } from './listen-address.ts'

const port = fc.integer({ min: 1, max: 65_535 })
const list = fc.record({
  ranges: fc.array(fc.record({ from: port, to: port }), { maxLength: 4 }),
  ports: fc.array(port, { maxLength: 4 }),
})
const protocol = fc.constantFrom(...listenProtocols)

it('allows exactly the ports that the list of the protocol contains, alone or in a range', () => {
  fc.assert(
    fc.property(fc.dictionary(protocol, list), protocol, fc.nat(20), port, (lists, requested, pick, any) => {
      const own = lists[requested] ?? { ranges: [], ports: [] }
      const edges = [...own.ports, ...own.ranges.flatMap(({ from, to }) => [from - 1, from, to, to + 1])]
      // Ports near the edges of the list are the likeliest to reveal a bug.
      const tried = edges[pick] ?? any
      const named = new Set(own.ports)
      for (const { from, to } of own.ranges) for (let at = from; at <= to; at++) named.add(at)
      expect(isAllowed(tried, requested, new Map(Object.entries(lists)))).toBe(named.has(tried))
    }),
  )
})

it('allows every port without a list', () => {
  fc.assert(fc.property(port, protocol, (one, requested) => isAllowed(one, requested, undefined)))
})
