/**
 * `turnpike explain`: sends one request through a gateway and prints what each stage did with it. The running gateway
 * is asked; where none runs, one is made from the configuration for this single request.
 */
import type { TracedStage } from '@turnpike/core'
import type { LoadedConfig } from '../config/load-config.ts'
import { columns } from './columns.ts'
import { headerRecord } from './header-record.ts'
import { type ExitCode, exitCodes, type Io } from './io.ts'
import { findGateway, type TargetOptions } from './management-client.ts'

export interface ExplainOptions extends TargetOptions {
  readonly header: readonly string[]
  readonly data?: string
  readonly dry?: boolean
  /** By which the request comes. Default: the gateway's. */
  readonly port?: number
  readonly json?: boolean
}

/** An explanation as POST /svc/explain answers it. */
export interface Explained {
  /** Absent: no API was found. */
  readonly api_id?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly stages: readonly TracedStage[]
}

interface Question {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly dry: boolean
  readonly port?: number
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
  const found = findGateway(options, io)
  if ('faults' in found) {
    for (const fault of found.faults) io.err(fault)
    return exitCodes.found
  }
  const question: Question = {
    method: method.toUpperCase(),
    path,
    headers,
    dry: options.dry ?? false,
    ...(options.data === undefined ? {} : { body: options.data }),
    ...(options.port === undefined ? {} : { port: options.port }),
  }
  const answer = await found.client.debug.explain({ body: question })
  // The schema is of the same answer that core's types tell more of.
  if (answer.ok) return show(answer.value as Explained, question, options, io)
  if (answer.status !== undefined) {
    io.err(`${found.url} answered ${answer.status}: ${answer.message}`)
    return exitCodes.found
  }
  if (options.url !== undefined || found.loaded.file === undefined) {
    io.err(`${answer.message} (start one with: turnpike start, or name a configuration with --conf)`)
    return exitCodes.found
  }
  io.err(`${answer.message}; explained in process from ${found.loaded.file}`)
  try {
    return show(await explainInProcess(question, found.loaded, io), question, options, io)
  } catch (cause) {
    io.err(`error: ${cause instanceof Error ? cause.message : String(cause)}`)
    return exitCodes.found
  }
}

async function explainInProcess(question: Question, loaded: LoadedConfig, io: Io): Promise<Explained> {
  const { openGateway } = await import('../gateway/open-gateway.ts')
  const { explain } = await import('../gateway/explain.ts')
  const { gateway, engine } = await openGateway({ environment: io.environment }, loaded)
  try {
    await gateway.reload()
    const request = {
      method: question.method,
      target: question.path,
      headers: Object.entries(question.headers).flatMap(([name, value]) => [name.toLowerCase(), value]),
      body: question.body === undefined ? undefined : new TextEncoder().encode(question.body),
      dry: question.dry,
      ...(question.port === undefined ? {} : { port: question.port }),
    }
    const { apiId, headers, ...rest } = await explain(engine, request, loaded.config.listenPort)
    return { ...(apiId === undefined ? {} : { api_id: apiId }), headers: headerRecord(headers), ...rest }
  } finally {
    await gateway.close(0)
  }
}

function show(report: Explained, question: Question, options: ExplainOptions, io: Io): ExitCode {
  if (options.json === true) io.out(JSON.stringify(report, null, 2))
  else for (const line of explainLines(report, question)) io.out(line)
  return report.status < 400 ? exitCodes.fine : exitCodes.found
}

export function explainLines(report: Explained, question: Pick<Question, 'method' | 'path' | 'dry'>): string[] {
  const api = report.api_id === undefined ? 'no API' : `API ${report.api_id}`
  const total = report.stages.reduce((sum, stage) => sum + stage.micros, 0)
  const rows = report.stages.flatMap(({ phase, stage, micros, verdict, notes }) => [
    [phase, stage, `${micros.toFixed(0)} µs`, verdict],
    ...notes.map((note) => ['', '', '', `  ${note}`]),
  ])
  return [
    `${question.method} ${question.path} (${api}${question.dry ? ', dry: nothing is counted or sent' : ''})`,
    '',
    ...columns(rows).map((row) => `  ${row}`),
    '',
    `answer: ${report.status}, stages took ${total.toFixed(0)} µs`,
    ...Object.entries(report.headers).map(([name, value]) => `  ${name}: ${value}`),
    ...(report.body === '' ? [] : ['', report.body]),
  ]
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
