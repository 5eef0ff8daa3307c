import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import { plainSettings } from '../../test/support/test-settings.ts'

const rights = { open: { api_id: 'open' } }

describe('the report of a reload', () => {
  it('says whether the policies have changed', async () => {
    const test = await makeTestEngine({
      definitions: [definitionOf('open')],
      policies: { p: { access_rights: rights } },
    })
    expect((await test.engine.reload()).policies).toEqual({ count: 1, changed: false })
    test.files.policies = JSON.stringify({ p: { rate: 1, per: 1, access_rights: rights } })
    expect((await test.engine.reload()).policies).toEqual({ count: 1, changed: true })
    expect((await test.engine.reload()).policies).toEqual({ count: 1, changed: false })
  })

  it('names file, line and column of a broken policy, and that the last good version stays', async () => {
    const test = await makeTestEngine({
      definitions: [definitionOf('open')],
      policies: { p: { access_rights: rights } },
    })
    test.files.policies = '{\n  "p": {\n    "rate": "fast" } }'
    const { policies } = await test.engine.reload()
    expect(policies).toMatchObject({
      count: 1,
      problems: [{ reason: 'rate must be a number, is a text', line: 3, column: 13, keptOld: true }],
    })
  })
})

describe('a recompilation', () => {
  it('applies changed settings to APIs whose definitions did not change', async () => {
    const settings = { ...plainSettings }
    const test = await makeTestEngine({ definitions: [definitionOf('open')], engine: { settings } })
    const timeoutOfNext = async () => {
      await test.send('GET', '/open/x')
      return test.upstreamRequests.at(-1)?.timeoutMs
    }
    const before = await timeoutOfNext()
    Object.assign(settings, { upstream: { ...settings.upstream, timeoutMs: 1234 } })
    await test.engine.reload()
    expect(await timeoutOfNext()).toBe(before)
    const report = await test.engine.recompile()
    expect(report).toMatchObject({ loaded: 1, changed: [], removed: [] })
    expect(await timeoutOfNext()).toBe(1234)
  })
})

describe('the log', () => {
  it.each([true, false])('logs the result of a reload if logsReloads is set (%s)', async (logsReloads) => {
    const test = await makeTestEngine({ definitions: [definitionOf('open')], engine: { logsReloads } })
    test.files.definitions.set('broken.json', '{')
    await test.engine.reload()
    expect(test.logged.some(({ message }) => message === 'a definition cannot be loaded')).toBe(logsReloads)
  })
})
