/** Runs the command: checks the options, guards the target, judges, prints the report. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { addressClients, type Client, type KeyPlace, makeClientPool, templateClients } from '../http/clients.ts'
import { foreignAddresses } from '../http/loopback.ts'
import { clockMs, makeRawClient, parseTarget, type TargetUrl } from '../http/raw-client.ts'
import { type ExitCode, exitCodes, type Io } from '../io.ts'
import type { Kind, RateLimit } from '../models/model.ts'
import { curlScript } from '../report/curl.ts'
import { reportLines } from '../report/text.ts'
import { toWireReport } from '../report/wire-report.ts'
import { makeBudget } from '../session/budget.ts'
import type { Confirmed } from '../session/confirm.ts'
import { judgeLimit, type LimitToJudge } from '../session/judge-limit.ts'
import { isNotRun, makeProber, type Subject } from '../session/prober.ts'
import { parseLimit, showLimit } from './parse-limit.ts'

export interface JudgeCommandOptions {
  readonly limit?: string
  readonly burst?: number
  readonly kind: Kind | 'auto'
  readonly keyHeader?: string
  readonly keyQuery?: string
  readonly keyPrefix?: string
  readonly key?: string
  readonly byAddress?: boolean
  readonly method: string
  readonly header: readonly string[]
  readonly body?: string
  readonly rejected: readonly number[]
  readonly admitted: readonly number[]
  readonly seconds: number
  readonly maxRequests: number
  readonly maxRate?: number
  readonly iOwnThisHost?: boolean
  readonly json?: boolean
  readonly keys?: string
  readonly spelling: readonly string[]
  readonly quota?: string
  readonly batch?: string
  readonly batchItem: string
  readonly batchOutside: readonly string[]
  readonly seed?: number
  readonly curl?: string
}

const foreignMaxRate = 20

class WrongUse extends Error {}

export async function judgeCommand(url: string | undefined, options: JudgeCommandOptions, io: Io): Promise<ExitCode> {
  try {
    return await judge(url, options, io)
  } catch (cause) {
    if (!(cause instanceof WrongUse)) throw cause
    io.err(`error: ${cause.message}`)
    return exitCodes.wrongUse
  }
}

async function judge(url: string | undefined, options: JudgeCommandOptions, io: Io): Promise<ExitCode> {
  if (url === undefined) throw new WrongUse('name the URL to judge, such as http://127.0.0.1:8080/orders')
  const target = parseTarget(url)
  if ('problem' in target) throw new WrongUse(target.problem)
  if (options.limit !== undefined && options.quota !== undefined)
    throw new WrongUse('judge the rate and the quota one after the other: --limit or --quota, not both')
  const stated = options.limit ?? options.quota
  if (stated === undefined) throw new WrongUse('name the limit to judge, such as --limit 10/60s')
  const parsed = parseLimit(stated)
  if (parsed.problem !== undefined) throw new WrongUse(parsed.problem)
  const limit = { ...parsed.limit, ...(options.burst !== undefined && { burst: options.burst }) }
  const maxRate = await allowedRate(target, options)
  const subject = subjectOf(target, options, limit.periodMs)
  const http = makeRawClient({ timeoutMs: 10_000 })
  const budget = makeBudget({ seconds: options.seconds, maxRequests: options.maxRequests, maxRate })
  const { make, size } = clientsOf(options, io)
  const pool = makeClientPool({ make, size, restMs: 2 * limit.periodMs + 50, now: clockMs })
  try {
    const prober = makeProber(subject, http, pool, budget)
    const first = await prober.run({ steps: [{ atMs: 0, count: 1, together: false }] }, budget.deadline)
    if (isNotRun(first)) throw new WrongUse(`${target.text} cannot be judged: ${first.notRun}`)
    const report = await judgeLimit(targetOf(options, limit), { prober, onProgress: (text) => io.err(text) })
    const script = (finding: Confirmed) =>
      curlScript({
        trace: finding.history.trace,
        request: subject.request,
        place: subject.place,
        client: make(pool.made()) ?? { name: finding.history.client, key: finding.history.client },
        statement: finding.statement.text,
        periodMs: limit.periodMs,
      })
    const [finding] = report.findings
    if (options.curl !== undefined && finding !== undefined) writeScript(resolve(io.cwd, options.curl), script(finding))
    if (options.json === true) io.out(JSON.stringify(toWireReport(report, script), null, 2))
    else {
      for (const line of reportLines(report, script)) io.out(line)
      const seconds = ((clockMs() - budget.startedAt) / 1000).toFixed(1)
      io.out(`${report.findings.length} findings, ${budget.sent()} requests in ${seconds} s`)
      if (report.tried.length === 0) io.out('nothing was judged')
    }
    return report.findings.length === 0 && report.tried.length > 0 ? exitCodes.fine : exitCodes.found
  } finally {
    http.close()
  }
}

function targetOf(options: JudgeCommandOptions, limit: RateLimit): LimitToJudge {
  const { batch, batchItem: item, batchOutside: outside } = options
  return {
    name: showLimit(limit),
    limit,
    kind: options.kind,
    seed: options.seed ?? Math.floor(Math.random() * 1_000_000),
    spellings: options.spelling,
    ...(batch !== undefined && { batch: { path: batch, item, outside } }),
  }
}

function writeScript(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o755 })
  } catch (cause) {
    throw new WrongUse(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

function readKeys(file: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new WrongUse(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  const keys = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (keys.length === 0) throw new WrongUse(`${file} has no keys; write one on each line`)
  return keys
}

/** The cap on requests per second; refuses hosts that are not this machine. */
async function allowedRate(target: TargetUrl, options: JudgeCommandOptions): Promise<number | undefined> {
  const foreign = await foreignAddresses(target.hostname).catch((cause: Error) => {
    throw new WrongUse(`${target.hostname} does not resolve: ${cause.message}`)
  })
  if (foreign.length === 0) return options.maxRate
  if (options.iOwnThisHost !== true)
    throw new WrongUse(
      `${target.hostname} is ${foreign.join(', ')}, not this machine; the attacks of judge are only for your own gateways: add --i-own-this-host if it is yours`,
    )
  return options.maxRate ?? foreignMaxRate
}

function subjectOf(target: TargetUrl, options: JudgeCommandOptions, periodMs: number): Subject {
  const headers: Record<string, string> = { Host: hostOf(target) }
  for (const line of options.header) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new WrongUse(`"${line}" is not a header; write 'Name: value'`)
    headers[name] = value
  }
  const place: KeyPlace = {
    ...(options.keyHeader !== undefined && { header: options.keyHeader }),
    ...(options.keyPrefix !== undefined && { prefix: options.keyPrefix }),
    ...(options.keyQuery !== undefined && { query: options.keyQuery }),
  }
  return {
    request: { method: options.method, target, headers, ...(options.body !== undefined && { body: options.body }) },
    place,
    rejected: options.rejected,
    admitted: options.admitted,
    periodMs,
  }
}

function hostOf({ text }: TargetUrl): string {
  return /^\w+:\/\/([^/?#]+)/.exec(text)?.[1] ?? ''
}

/** Clients differ by key or address; without either, there is a single client. */
function clientsOf(
  options: JudgeCommandOptions,
  io: Io,
): { make: (index: number) => Client | undefined; size: number } {
  const many = 100_000
  if (options.byAddress === true) return { make: addressClients(), size: 60_000 }
  if (options.keys !== undefined) {
    const keys = readKeys(resolve(io.cwd, options.keys))
    // Two runs, one soon after the other, begin with other keys.
    const start = Math.floor(Math.random() * keys.length)
    const keyAt = (index: number) => keys[(start + index) % keys.length] as string
    return { make: (index) => ({ name: keyAt(index), key: keyAt(index) }), size: keys.length }
  }
  if (options.keyHeader !== undefined || options.keyQuery !== undefined)
    return { make: templateClients(options.key ?? 'judge-{random}'), size: many }
  return { make: () => ({ name: 'everyone' }), size: 1 }
}
