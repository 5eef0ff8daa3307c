import { describe, expect, it } from 'vitest'
import { toDocument } from '../config/live-settings.ts'
import { loadConfig } from '../config/load-config.ts'
import { type ConfigReload, makeConfigReload } from './watch-config.ts'

function setUp() {
  let document: Record<string, unknown> = { listen_port: 8080 }
  const load = () => loadConfig({ document, environment: {}, cwd: '/' })
  const reports: ConfigReload[] = []
  const applied: (readonly string[])[] = []
  const reload = makeConfigReload({
    file: '/gateway.json',
    running: toDocument(load().config),
    findings: load().findings,
    load,
    apply: async (_, keys) => void applied.push(keys),
    report: (result) => void reports.push(result),
  })
  const change = async (next: Record<string, unknown>) => {
    document = next
    await reload()
  }
  return { change, reports, applied }
}

describe('a changed configuration file', () => {
  it('is applied as far as possible, and reported once', async () => {
    const { change, reports, applied } = setUp()
    await change({ listen_port: 9000, log_level: 'debug' })
    await change({ listen_port: 9000, log_level: 'debug' })
    expect(reports).toMatchObject([{ applied: ['log_level'], needRestart: ['listen_port'], rejected: false }])
    expect(applied).toEqual([['log_level']])
    await change({ listen_port: 9000, log_level: 'warn' })
    expect(reports[1]).toMatchObject({ applied: ['log_level'], needRestart: ['listen_port'] })
  })

  it('without a changed value is not reported', async () => {
    const { change, reports } = setUp()
    await change({ listen_port: 8080 })
    expect(reports).toEqual([])
  })

  it('repeats no warning that was reported before', async () => {
    const { change, reports } = setUp()
    await change({ listen_port: 8080, listen_prot: 1 })
    await change({ listen_port: 9000, listen_prot: 1 })
    expect(reports.map(({ findings }) => findings.map(({ field }) => field))).toEqual([['listen_prot'], []])
  })

  it('with an error changes nothing, and is good again after the fix', async () => {
    const { change, reports, applied } = setUp()
    await change({ listen_port: 'x', log_level: 'debug' })
    await change({ listen_port: 'x', log_level: 'debug' })
    expect(reports).toMatchObject([
      { rejected: true, applied: [], findings: [{ severity: 'error', field: 'listen_port' }] },
    ])
    expect(applied).toEqual([])
    await change({ listen_port: 8080 })
    expect(reports[1]).toMatchObject({ rejected: false, applied: [], needRestart: [] })
  })
})
