import { defaultSettings, silentLog } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { makeSequentialIds, makeVirtualClock } from '@turnpike/testkit'
import { expect, it } from 'vitest'
import { makeOAuth } from './oauth.ts'
import { defaultOAuthSettings } from './oauth-settings.ts'

it('purges expired tokens soon after the start, then hourly', async () => {
  const clock = makeVirtualClock()
  const store = makeMemoryStore({ clock })
  let purges = 0
  const records = {
    ...store.records,
    add: (...args: Parameters<typeof store.records.add>) => {
      purges += 1
      return store.records.add(...args)
    },
  }
  const oauth = makeOAuth({
    ...{ clock, log: silentLog, ids: makeSequentialIds(), settings: defaultSettings },
    store: { ...store, records },
    oauth: { ...defaultOAuthSettings, retainSeconds: 60 },
    signals: { publish: () => Promise.resolve(), subscribe: () => () => undefined },
    engine: () => ({ definitions: () => [] }),
  } as unknown as Parameters<typeof makeOAuth>[0])
  await clock.run(299_000)
  expect(purges).toBe(0)
  await clock.run(1_000)
  expect(purges).toBe(1)
  await clock.run(3_600_000)
  expect(purges).toBe(2)
  oauth.close()
  await clock.run(7_200_000)
  expect(purges).toBe(2)
})
