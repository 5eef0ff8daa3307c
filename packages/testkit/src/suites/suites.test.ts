import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import { makeVirtualClock } from '../virtual-clock.ts'
import { clockSuite } from './clock-suite.ts'
import { signalsSuite } from './signals-suite.ts'
import { storeSuite } from './store-suite.ts'

clockSuite('virtual', () => {
  const clock = makeVirtualClock()
  return { clock, pass: (ms) => clock.run(ms) }
})

storeSuite('memory', async () => {
  const clock = makeVirtualClock()
  const store = makeMemoryStore({ clock })
  return { store, pass: (ms) => clock.advance(ms), cleanup: () => store.close() }
})

signalsSuite('memory', async () => {
  const signals = makeMemorySignals()
  const arrive = async () => {
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
  }
  return { first: signals, second: signals, arrive, cleanup: async () => {} }
})
