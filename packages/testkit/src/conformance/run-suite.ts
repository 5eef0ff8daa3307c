/** Runs one recorded suite against a gateway process and returns the differences of each case. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { differences } from './compare-response.ts'
import { type GatewayProcess, type StartOptions, startGateway } from './gateway-process.ts'
import { type CallResponse, send } from './http-call.ts'
import { fill } from './placeholders.ts'
import type { Call, Case, CaseResult, Expected, Step, Suite } from './recorded-suite.ts'

export interface RunOptions extends StartOptions {
  readonly vendor?: string
  /** Names of the cases to skip. */
  readonly skip?: ReadonlySet<string>
}

/** Runs every case. Never rejects: if the gateway does not start, every case fails. */
export async function runSuite(name: string, suite: Suite, options: RunOptions): Promise<CaseResult[]> {
  const cases = suite.cases.filter((one) => !options.skip?.has(one.name))
  let gateway: GatewayProcess
  try {
    gateway = await startGateway(suite, options)
  } catch (cause) {
    return cases.map((one) => ({ suite: name, name: one.name, failures: [String(cause)] }))
  }
  const results: CaseResult[] = []
  try {
    for (const one of cases) {
      results.push({ suite: name, name: one.name, failures: await runCase(one, gateway, options.vendor ?? 'svc') })
    }
  } finally {
    await gateway.stop()
  }
  return results
}

async function runCase(one: Case, gateway: GatewayProcess, vendor: string): Promise<string[]> {
  for (const [i, step] of one.steps.entries()) {
    const failures = await runStep(step, gateway, vendor)
    if (failures.length > 0) return failures.map((text) => `step ${i + 1}, ${text}`)
  }
  return []
}

async function runStep(step: Step, gateway: GatewayProcess, vendor: string): Promise<string[]> {
  const { port, folder, values } = gateway
  if (step.sleepMs !== undefined) await sleep(step.sleepMs)
  if (step.writeFile !== undefined) {
    await writeFile(join(folder, step.writeFile.path), JSON.stringify(fill(step.writeFile.json, values)))
  }
  if (step.reload !== undefined && step.reload !== false) {
    await send(port, { path: `/${vendor}/reload?block=true`, admin: true }, vendor)
    await sleep(step.reload === true ? 300 : step.reload)
  }
  if (step.call === undefined) return []
  const call = fill(step.call, values)
  let response = await send(port, call, vendor)
  for (let sent = 1; sent < (step.repeat ?? 1); sent++) response = await send(port, call, vendor)
  const json = parse(response.text)
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    values[name] = path.startsWith('header.') ? response.headers[path.slice(7)] : valueAt(json, path)
  }
  return step.expect === undefined ? [] : compareResponse(fill(step.expect, values), response, json, call)
}

function compareResponse(want: Expected, response: CallResponse, json: unknown, call: Call): string[] {
  const found = [
    ...(want.status === undefined ? [] : differences(want.status, response.status, 'status')),
    ...Object.entries(want.headers ?? {}).flatMap(([name, value]) =>
      differences(value, response.headers[name.toLowerCase()], `header ${name}`),
    ),
    ...(want.text === undefined ? [] : differences(want.text, response.text, 'text')),
    ...(want.json === undefined ? [] : differences(want.json, json, 'json')),
  ]
  if (found.length === 0) return []
  const where = `${call.method ?? 'GET'} ${call.path}`
  return [
    ...found.map((text) => `${where}: ${text}`),
    `${where}: response ${response.status} ${response.text.slice(0, 500)}`,
  ]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function valueAt(json: unknown, path: string): unknown {
  let value = json
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}
