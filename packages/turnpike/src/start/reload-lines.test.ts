import type { ReloadReport } from '@turnpike/core/engine'
import { describe, expect, it } from 'vitest'
import { makeColours } from './colours.ts'
import { configLines, makeReloadLines } from './reload-lines.ts'
import { makeReloadReporter } from './report-reloads.ts'

const at = Date.UTC(2026, 0, 1, 12, 30, 5)
const places = { cwd: '/work', definitions: '/work/apps', policies: '/elsewhere/policies' }
const plain = makeColours(false)

function reportOf(change: Partial<ReloadReport> = {}): ReloadReport {
  return {
    ...{ startedAt: at, durationMs: 3, loaded: 2, changed: [], removed: [], failed: [], renamed: [], unsupported: [] },
    policies: { count: 1, changed: false },
    ...change,
  }
}

const broken = { source: 'orders.json', reason: 'is not JSON', line: 3, column: 7, keptOld: true }

describe('the lines of a reload', () => {
  it('name file, line, column and the last good version', () => {
    const linesOf = makeReloadLines(places, plain)
    linesOf(reportOf({ changed: ['orders.json'] }))
    const policies = {
      ...{ count: 1, changed: true, problem: 'p.json: rate must be a number' },
      problems: [{ source: 'p.json', reason: 'rate must be a number', line: 2, column: 9, keptOld: true }],
    }
    expect(linesOf(reportOf({ startedAt: at + 60_000, failed: [broken], policies }))).toEqual([
      'reloaded in 3 ms: 2 APIs served; 1 policy; policies changed',
      '  /elsewhere/policies/p.json:2:9 rate must be a number (the last good version of 12:30:05 stays in service)',
      '  apps/orders.json:3:7 is not JSON (the last good version of 12:30:05 stays in service)',
    ])
  })

  it('say that a definition without a good version is not served', () => {
    expect(makeReloadLines(places, plain)(reportOf({ failed: [{ ...broken, keptOld: false }] }))[1]).toBe(
      '  apps/orders.json:3:7 is not JSON (not served)',
    )
  })

  it('say that a dropped reload changes nothing', () => {
    expect(makeReloadLines(places, plain)(reportOf({ dropped: 'policies.json cannot be read' }))[0]).toBe(
      'reload dropped, the last good version of all APIs and policies stays in service: policies.json cannot be read',
    )
  })

  it('name fields that no gateway acts on, one line for all documents with the same field', () => {
    const featureOf = (apiId: string) => ({
      ...{ apiId, source: `${apiId}.json`, field: 'slug', reason: 'it is only stored and returned' },
      ...{ instead: 'remove it', closes: false, isHarmless: true },
    })
    const stored = [{ source: 'gold.json', field: 'active', instead: 'use is_inactive' }]
    const unsupported = ['a', 'b', 'c', 'd', 'e'].map(featureOf)
    const report = reportOf({ unsupported, policies: { count: 1, changed: true, stored } })
    expect(makeReloadLines(places, plain)(report).slice(1)).toEqual([
      '  slug has no effect in any gateway and is only stored: API a, API b, API c and 2 more; remove it',
      '  active has no effect in any gateway and is only stored: policy gold.json; use is_inactive',
    ])
  })

  it('are coloured only on request', () => {
    const lines = makeReloadLines(places, makeColours(true))(reportOf({ failed: [broken] }))
    expect(lines.every((line) => line.startsWith('\u001b['))).toBe(true)
  })
})

describe('the lines of a configuration', () => {
  const reload = { file: 'gateway.json', applied: [], needRestart: [], findings: [], rejected: false }

  it('name what is applied and what needs a restart', () => {
    expect(configLines({ ...reload, applied: ['log_level'], needRestart: ['listen_port', 'secret'] }, plain)).toEqual([
      'gateway.json: applied log_level',
      '  restart the gateway to apply listen_port, secret',
    ])
  })

  it('name the position of an error and the version that stays', () => {
    const finding = {
      id: 'out-of-range',
      severity: 'error',
      source: 'gateway.json',
      line: 2,
      column: 5,
      field: 'x',
      reason: 'is wrong',
    } as const
    expect(configLines({ ...reload, rejected: true, findings: [finding] }, plain)).toEqual([
      'gateway.json cannot be used; the configuration of the last good version stays in service',
      '  gateway.json:2:5  error  x: is wrong [out-of-range]',
    ])
  })
})

describe('reloads', () => {
  const setUp = () => {
    const printed: string[] = []
    const reporter = { reloaded: (_: ReloadReport, lines: readonly string[]) => void printed.push(lines[0] ?? '') }
    return { printed, reloads: makeReloadReporter(reporter, places, plain) }
  }

  it('are reported once: a second reload of the same change has no news', () => {
    const { printed, reloads } = setUp()
    reloads.started(reportOf({ changed: ['a.json', 'b.json'] }))
    expect(printed).toEqual([])
    reloads.reloaded(reportOf({ changed: ['a.json'] }))
    reloads.reloaded(reportOf())
    expect(printed).toHaveLength(1)
    reloads.reloaded(reportOf({ failed: [broken] }))
    reloads.reloaded(reportOf({ failed: [broken] }))
    expect(printed).toHaveLength(2)
    reloads.reloaded(reportOf())
    reloads.reloaded(reportOf({ policies: { count: 1, changed: true } }))
    expect(printed).toHaveLength(4)
  })

  it('that the user asked for are reported in any case, and once', () => {
    const { printed, reloads } = setUp()
    const [same, changed] = [reportOf(), reportOf({ changed: ['a.json'] })]
    reloads.started(reportOf())
    reloads.reloaded(same)
    reloads.asked(same)
    reloads.reloaded(changed)
    reloads.asked(changed)
    expect(printed).toHaveLength(2)
  })
})
