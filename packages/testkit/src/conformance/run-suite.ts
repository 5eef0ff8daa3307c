/** Runs one recorded suite against a gateway and returns the differences of each case. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { differences } from './compare-response.ts'
import type { CallResponse } from './http-call.ts'
import { fill, type Values } from './placeholders.ts'
import type { Call, Case, CaseResult, Expected, Step, Suite } from './recorded-suite.ts'

/** A gateway that a suite is played against: a process (`gateway-process.ts`), or in this process. */
export interface PlayedGateway {
  readonly port: number
  /** The folder with the files of the suite. */
  readonly folder: string
  readonly values: Values
  /** Waits so many milliseconds on the clock of the gateway. */
  sleep(ms: number): Promise<unknown>
  send(call: Call, vendor: string): Promise<CallResponse>
  /**
   * Real time for work that does not run on the clock of the gateway, such as event handlers in script workers: so long a
   * management read that follows a pause may be repeated until it is as recorded. Default: 0.
   */
  readonly patienceMs?: number
  /** Ends the gateway and removes the folder. */
  stop(): Promise<void>
}

export interface RunOptions {
  readonly start: (suite: Suite) => Promise<PlayedGateway>
  readonly vendor?: string
  /** Names of the cases to skip. */
  readonly skip?: ReadonlySet<string>
}

/** Runs every case. Never rejects: if the gateway does not start, every case fails. */
export async function runSuite(name: string, suite: Suite, options: RunOptions): Promise<CaseResult[]> {
  const cases = suite.cases.filter((one) => !options.skip?.has(one.name))
  let gateway: PlayedGateway
  try {
    gateway = await options.start(suite)
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

async function runCase(one: Case, gateway: PlayedGateway, vendor: string): Promise<string[]> {
  for (const [i, step] of one.steps.entries()) {
    const failures = await runStep(step, gateway, vendor)
    if (failures.length > 0) return failures.map((text) => `step ${i + 1}, ${text}`)
  }
  return []
}

async function runStep(step: Step, gateway: PlayedGateway, vendor: string): Promise<string[]> {
  const { folder, values } = gateway
  if (step.sleepMs !== undefined) await gateway.sleep(step.sleepMs)
  if (step.writeFile !== undefined) {
    await writeFile(join(folder, step.writeFile.path), JSON.stringify(fill(step.writeFile.json, values)))
  }
  if (step.reload !== undefined && step.reload !== false) {
    await gateway.send({ path: `/${vendor}/reload?block=true`, admin: true }, vendor)
    await gateway.sleep(step.reload === true ? 300 : step.reload)
  }
  if (step.call === undefined) return []
  const call = fill(step.call, values)
  for (let sent = 1; sent < (step.repeat ?? 1); sent++) await gateway.send(call, vendor)
  const until = performance.now() + (isReadAfterPause(step) ? (gateway.patienceMs ?? 0) : 0)
  for (;;) {
    const response = await gateway.send(call, vendor)
    const json = parse(response.text)
    for (const [name, path] of Object.entries(step.capture ?? {})) {
      values[name] = path.startsWith('header.') ? response.headers[path.slice(7)] : valueAt(json, path)
    }
    const failures = step.expect === undefined ? [] : compareResponse(fill(step.expect, values), response, json, call)
    if (failures.length === 0 || performance.now() >= until) return failures
    await sleep(20)
  }
}

const isReadAfterPause = ({ sleepMs, call }: Step) =>
  sleepMs !== undefined && call?.admin === true && (call.method ?? 'GET') === 'GET'

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
