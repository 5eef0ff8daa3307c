/** Runs the command: turns its options into a description of the gateway, judges it, prints the report. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { GatewayToJudge } from '../gateway/gateway-to-judge.ts'
import { judgeGateway } from '../gateway/judge-gateway.ts'
import type { KeyPlace } from '../http/client-pool.ts'
import { type ExitCode, exitCodes, type Io } from '../io.ts'
import { JudgeInputError, readInputFile } from '../judge-input.ts'
import type { Kind } from '../models/model.ts'
import type { Judgement } from '../report/judge-json-report.ts'
import { checkReportFiles, type JudgeReportOptions, writeJudgeReports } from '../report/write-judge-reports.ts'

export interface JudgeCommandOptions extends JudgeReportOptions {
  readonly limit: readonly string[]
  readonly block?: string
  readonly slack?: string
  readonly strict?: boolean
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
  readonly maxRequests?: number
  readonly maxRate?: number
  readonly iOwnThisHost?: boolean
  readonly keys?: string
  readonly spelling: readonly string[]
  readonly quota?: string
  readonly batch?: string
  readonly batchItem: string
  readonly batchOutside: readonly string[]
  readonly seed?: number
  readonly curl?: string
  readonly cacert?: string
  readonly insecure?: boolean
}

/** Throws a `JudgeInputError` for wrong use. */
export async function judgeCommand(url: string | undefined, options: JudgeCommandOptions, io: Io): Promise<ExitCode> {
  checkReportFiles(options, io.cwd)
  const gateway = gatewayOf(url, options, io)
  const onProgress = (text: string) => io.err(text)
  const judgement = await untilInterrupted((signal) => judgeGateway({ ...gateway, signal, onProgress }))
  const script = judgement.findings[0]?.curl
  if (options.curl !== undefined && script !== undefined) writeScript(resolve(io.cwd, options.curl), script)
  io.out(options.json === true ? jsonOf(judgement) : judgement.text)
  writeJudgeReports([{ name: judgement.limit, url: String(url), judgement }], options, io)
  return exitCodeOf([judgement], options)
}

/** A found mistake counts more than what is undecided, which `strict` makes a failure. */
export function exitCodeOf(
  judgements: readonly Pick<Judgement, 'outcome'>[],
  { strict }: { readonly strict?: boolean },
): ExitCode {
  const has = (outcome: Judgement['outcome']) => judgements.some((one) => one.outcome === outcome)
  if (has('broken')) return exitCodes.found
  if (!has('undecided')) return exitCodes.fine
  return strict === true ? exitCodes.found : exitCodes.undecided
}

/** Runs with a signal that Ctrl-C aborts, so that what is confirmed until then is reported. A second one ends the process. */
export async function untilInterrupted<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  process.once('SIGINT', interrupt)
  try {
    return await run(controller.signal)
  } finally {
    process.removeListener('SIGINT', interrupt)
  }
}

function jsonOf({ text: _, ...judgement }: Judgement): string {
  return JSON.stringify(judgement, null, 2)
}

function gatewayOf(url: string | undefined, options: JudgeCommandOptions, io: Io): GatewayToJudge {
  if (url === undefined) throw new JudgeInputError('name the URL to judge, such as http://127.0.0.1:8080/orders')
  if (options.limit.length > 0 && options.quota !== undefined)
    throw new JudgeInputError('judge the rate and the quota one after the other: --limit or --quota, not both')
  const limit = options.quota ?? options.limit
  if (limit.length === 0) throw new JudgeInputError('name the limit to judge, such as --limit 10/60s')
  const key = keyPlaceOf(options)
  const { batch, batchItem: item, batchOutside: outside } = options
  const {
    kind,
    burst,
    block,
    slack,
    method,
    body,
    byAddress,
    rejected,
    admitted,
    seconds,
    maxRequests,
    maxRate,
    seed,
  } = options
  return {
    ...{ url, limit, kind, burst, block, slack, method, body, byAddress, rejected, admitted },
    ...{ seconds, maxRequests, maxRate, seed },
    headers: Object.fromEntries(options.header.map(headerOf)),
    key,
    keys: options.keys === undefined ? key && options.key : readKeys(resolve(io.cwd, options.keys)),
    spellings: options.spelling,
    batch: batch === undefined ? undefined : { path: batch, item, outside },
    iOwnThisHost: options.iOwnThisHost,
    caFile: options.cacert === undefined ? undefined : resolve(io.cwd, options.cacert),
    insecure: options.insecure,
  }
}

export function keyPlaceOf({
  keyHeader,
  keyPrefix,
  keyQuery,
}: Pick<JudgeCommandOptions, 'keyHeader' | 'keyPrefix' | 'keyQuery'>): KeyPlace | undefined {
  if (keyQuery !== undefined) return { query: keyQuery }
  if (keyHeader === undefined) return undefined
  return { header: keyHeader, ...(keyPrefix !== undefined && { prefix: keyPrefix }) }
}

export function headerOf(line: string): readonly [string, string] {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new JudgeInputError(`"${line}" is not a header; write 'Name: value'`)
  return [name, value]
}

function writeScript(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o755 })
  } catch (cause) {
    throw new JudgeInputError(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

export function readKeys(file: string): readonly string[] {
  const keys = readInputFile(file)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (keys.length === 0) throw new JudgeInputError(`${file} has no keys; write one on each line`)
  return keys
}
