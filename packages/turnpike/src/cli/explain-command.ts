/**
 * `turnpike explain`: sends one request through a gateway and prints the result of each stage. It calls the running
 * gateway. If none runs, it creates one from the configuration for this request.
 */
import type { WireExplanation } from '@turnpike/mgmt-api'
import { columns } from '../terminal/columns.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import type { RequestToExplain } from './explain-request.ts'
import { findGateway, type TargetOptions } from './management-client.ts'
import { type ExplainedRequests, isRejected, repeatUntilRejected, statusesLine } from './repeat-until-rejected.ts'

/** Largest number of requests of `--until-rejected` without a number. */
const usualLimit = 100

export interface ExplainOptions extends TargetOptions {
  readonly header: readonly string[]
  readonly data?: string
  readonly dry?: boolean
  /** The TCP port that the request arrives on. Default: the gateway's. */
  readonly port?: number
  /** Repeats the request until it is rejected, at most this many times; true: 100 times. Default: one request. */
  readonly untilRejected?: number | true
  readonly json?: boolean
}

export async function explainCommand(method: string, path: string, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const headers = readHeaders(options.header)
  if (headers === undefined) {
    io.err("a header is written 'Name: value'")
    return exitCodes.wrongUse
  }
  if (!path.startsWith('/')) {
    io.err('the path begins with a slash, as in: turnpike explain GET /orders/1')
    return exitCodes.wrongUse
  }
  if (options.untilRejected !== undefined && options.dry === true) {
    io.err('--until-rejected counts requests, and --dry counts none: leave one of them out')
    return exitCodes.wrongUse
  }
  const found = findGateway(options, io)
  if ('problems' in found) {
    for (const problem of found.problems) io.err(problem)
    return found.code
  }
  const toExplain: RequestToExplain = {
    method: method.toUpperCase(),
    path,
    headers,
    dry: options.dry ?? false,
    ...(options.data === undefined ? {} : { body: options.data }),
    ...(options.port === undefined ? {} : { port: options.port }),
  }
  const limit = options.untilRejected === true ? usualLimit : (options.untilRejected ?? 1)
  const call = () => found.client.debug.explain({ body: toExplain })
  const response = await call()
  if (response.ok) {
    const again = async () => {
      const next = await call()
      if (next.ok) return next.value as WireExplanation
      throw new Error(`${found.url}: ${next.message}`)
    }
    try {
      // The generated type is less precise than core's types for the same response.
      const first = response.value as WireExplanation
      return show(await repeatUntilRejected(first, again, limit), toExplain, options, io)
    } catch (cause) {
      return failed(cause, io)
    }
  }
  if (response.status !== undefined) {
    io.err(`${found.url} responded with ${response.status}: ${response.message}`)
    return exitCodes.found
  }
  if (options.url !== undefined || found.loaded.file === undefined) {
    io.err(`${response.message} (start one with: turnpike start, or name a configuration with --conf)`)
    return exitCodes.found
  }
  io.err(`${response.message}; explained in process from ${found.loaded.file}`)
  try {
    const { explainInProcess } = await import('./explain-in-process.ts')
    return show(await explainInProcess(toExplain, found.loaded, io, limit), toExplain, options, io)
  } catch (cause) {
    return failed(cause, io)
  }
}

function failed(cause: unknown, io: Io): ExitCode {
  io.err(`error: ${cause instanceof Error ? cause.message : String(cause)}`)
  return exitCodes.found
}

function show(
  { report, statuses }: ExplainedRequests,
  toExplain: RequestToExplain,
  { json, untilRejected }: ExplainOptions,
  io: Io,
): ExitCode {
  const repeats = untilRejected !== undefined
  if (json === true) io.out(JSON.stringify(repeats ? { ...report, statuses } : report, null, 2))
  else {
    if (repeats) io.out(`${statusesLine(statuses)}\n`)
    for (const line of explainLines(report, toExplain)) io.out(line)
  }
  return isRejected(report.status) ? exitCodes.found : exitCodes.fine
}

export function explainLines(
  report: WireExplanation,
  toExplain: Pick<RequestToExplain, 'method' | 'path' | 'dry'>,
): string[] {
  const api = report.api_id === undefined ? 'no API' : `API ${report.api_id}`
  const total = report.stages.reduce((sum, stage) => sum + stage.micros, 0)
  const rows = report.stages.flatMap(({ phase, stage, micros, verdict, notes }) => [
    [phase, stage, `${micros.toFixed(0)} µs`, verdict],
    ...notes.map((note) => ['', '', '', `  ${note}`]),
  ])
  return [
    `${toExplain.method} ${toExplain.path} (${api}${toExplain.dry ? ', dry: nothing is counted or sent' : ''})`,
    '',
    ...columns(rows).map((row) => `  ${row}`),
    '',
    `response: ${report.status}, stages took ${total.toFixed(0)} µs`,
    ...(report.why === undefined ? [] : [`why: ${report.why.message}`]),
    ...(report.nearest === undefined ? [] : [nearestLine(report.nearest)]),
    ...Object.entries(report.headers).map(([name, value]) => `  ${name}: ${value}`),
    ...(report.body === '' ? [] : ['', report.body]),
  ]
}

function nearestLine(nearest: NonNullable<WireExplanation['nearest']>): string {
  if (nearest.length === 0) return 'why: the gateway serves no API on this port'
  const paths = nearest.map(({ listen_path, api_id, name, host }) => {
    const on = host === undefined ? '' : ` on host ${host}`
    return `${listen_path}${on} (${name === '' ? api_id : name})`
  })
  return `why: no API has this path; the nearest listen ${paths.length === 1 ? 'path is' : 'paths are'} ${paths.join(', ')}`
}

function readHeaders(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) return undefined
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return headers
}
