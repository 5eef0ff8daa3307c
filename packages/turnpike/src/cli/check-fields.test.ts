/**
 * Every field of definitions, policies and configurations with a value of a wrong type: `check` reports file, line,
 * column, field and reason of each. The fields are those of the shapes, so that new ones are tried as they appear.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { classicShape } from '@turnpike/core/definition'
import { printJsonPath } from '@turnpike/core/lib'
import { policyShape } from '@turnpike/core/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Fault, faultsOf, withFault } from '../../test/support/wrong-types.ts'
import { configShape } from '../config/config-shape.ts'
import type { Finding } from '../config/finding.ts'
import { main } from './main.ts'
import { makeTestIo } from './test-io.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-check-fields-'))
  mkdirSync(join(folder, 'apps'))
  mkdirSync(join(folder, 'policies'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

async function check(): Promise<Finding[]> {
  const io = makeTestIo({ cwd: folder })
  await main(['check', '--conf', 'gateway.json', '--json'], io)
  return (JSON.parse(io.printed.join('\n')) as { findings: Finding[] }).findings
}

/** Without an event handler or a web hook the gateway starts, so their values are warnings. */
const severityOf = (source: string, field: string) =>
  source.startsWith('gateway.json') && /^(event_handlers\.events\.\w+\[|monitor\.configuration)/.test(field)
    ? 'warning'
    : 'error'

/** Problems that are not reported as expected. */
function untold(findings: readonly Finding[], source: string, text: string, { path, value }: Fault): string[] {
  const field = printJsonPath(path)
  const severity = severityOf(source, field)
  const found = findings.find((one) => one.source.endsWith(source) && one.field === field && one.severity === severity)
  const what = `${field} = ${JSON.stringify(value)}`
  if (found === undefined) return [`${what} is not reported`]
  const line = text.split('\n')[(found.line ?? 0) - 1] ?? ''
  const pointed = line.slice((found.column ?? 0) - 1)
  const isThere = pointed.startsWith(`"${path.at(-1)}"`) || pointed.startsWith(JSON.stringify(value).slice(0, 1))
  return [
    ...(isThere ? [] : [`${what} is reported at ${found.line}:${found.column}, where there is: ${line}`]),
    ...(/^must be /.test(found.reason) ? [] : [`${what} is reported as: ${found.reason}`]),
  ]
}

const api = (id: string) => ({
  name: id,
  api_id: id,
  org_id: 'acme',
  use_keyless: true,
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: `/${id}/`, target_url: 'http://127.0.0.1:1/' },
})

const config = { listen_address: '127.0.0.1', secret: 'a key', policies: { policy_path: 'policies' } }

describe('turnpike check reports a wrong type', () => {
  it('in each field of a definition', async () => {
    const faults = faultsOf(classicShape.schema).map((fault, i) => ({ fault, name: `apps/f${i}.json`, id: `f${i}` }))
    expect(faults.length).toBeGreaterThan(300)
    write('gateway.json', JSON.stringify(config))
    const texts = new Map(faults.map(({ fault, name, id }) => [name, withFault(api(id), fault)]))
    for (const [name, text] of texts) write(name, text)
    const findings = await check()
    expect(faults.flatMap(({ fault, name }) => untold(findings, name, texts.get(name) ?? '', fault))).toEqual([])
  })

  it('in each field of a policy', async () => {
    write('gateway.json', JSON.stringify(config))
    write('apps/a.json', JSON.stringify(api('a')))
    const faults = faultsOf(policyShape.schema).map((fault, i) => ({ fault, name: `policies/p${i}.json`, id: `p${i}` }))
    expect(faults.length).toBeGreaterThan(50)
    const base = (id: string) => ({ id, org_id: 'acme', access_rights: { a: { api_id: 'a', versions: ['Default'] } } })
    const texts = new Map(faults.map(({ fault, name, id }) => [name, withFault(base(id), fault)]))
    for (const [name, text] of texts) write(name, text)
    const findings = await check()
    expect(faults.flatMap(({ fault, name }) => untold(findings, name, texts.get(name) ?? '', fault))).toEqual([])
  })

  it('in each field of a configuration', { timeout: 120_000 }, async () => {
    const faults = faultsOf(configShape.schema)
    expect(faults.length).toBeGreaterThan(150)
    const problems: string[] = []
    for (const fault of faults) {
      const text = withFault(config, fault)
      write('gateway.json', text)
      problems.push(...untold(await check(), 'gateway.json', text, fault))
    }
    expect(problems).toEqual([])
  })
})
