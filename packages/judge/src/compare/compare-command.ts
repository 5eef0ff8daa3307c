/** Runs `--compare`: checks the options, guards the targets, sends the same requests to both and prints the report. */
import { resolve } from 'node:path'
import {
  clockMs,
  compareTraces,
  type DifferProgress,
  type HeaderLines,
  type NamedTrace,
  parseMask,
} from '@turnpike/exchange'
import { headerOf, keyPlaceOf, readKeys } from '../command/judge-command.ts'
import { clientsOf } from '../gateway/gateway-to-judge.ts'
import { allowedRate } from '../gateway/judge-gateway.ts'
import { parseLimit } from '../gateway/parse-limit.ts'
import { readCertificateCheck, withCertificateHint } from '../http/certificate-check.ts'
import { makeClientPool } from '../http/client-pool.ts'
import { parseTarget, type TargetUrl } from '../http/raw-client.ts'
import { type ExitCode, exitCodes, type Io } from '../io.ts'
import { JudgeInputError } from '../judge-input.ts'
import { makeBudget } from '../judging/run-budget.ts'
import type { RateLimit } from '../models/model.ts'
import type { CompareOptions } from './compare-options.ts'
import { type Comparison, comparisonJson, comparisonText, repeatable, whyVacuous } from './compare-report.ts'
import { type GatewayPair, makeGatewayPair, requestOf } from './gateway-pair.ts'
import { limitTraces, pausesOf } from './limit-traces.ts'
import { headerLine, readRequests } from './read-compared-requests.ts'
import { textbookTraces } from './textbook-requests.ts'

/** Throws a `JudgeInputError` for wrong use. */
export async function compareCommand(urls: readonly string[], options: CompareOptions, io: Io): Promise<ExitCode> {
  const comparison = await compare(urls, options, io)
  io.out(options.json === true ? JSON.stringify(comparisonJson(comparison), null, 2) : comparisonText(comparison))
  const isFine = repeatable(comparison).length === 0 && whyVacuous(comparison) === undefined
  return isFine ? exitCodes.fine : exitCodes.found
}

async function compare(urls: readonly string[], options: CompareOptions, io: Io): Promise<Comparison> {
  const targets = targetsOf(urls)
  const run = {
    masks: masksOf(options),
    renames: renamesOf(options),
    headers: options.allHeaders ? 'every' : 'all',
  } as const
  const rates = [await allowedRate(targets[0], options), await allowedRate(targets[1], options)]
  const limit = options.limit === undefined ? undefined : parseLimit(options.limit)
  const { traces, notCompared } = tracesOf(options, limit, io)
  const maxRate = Math.min(...rates.map((rate) => rate ?? Number.POSITIVE_INFINITY))
  const budget = makeBudget({
    seconds: options.seconds,
    maxRequests: options.maxRequests,
    maxRate: Number.isFinite(maxRate) ? maxRate : undefined,
  })
  const place = keyPlaceOf(options)
  const { keys, key, byAddress } = options
  const clients = clientsOf({
    key: place,
    keys: keys === undefined ? place && key : readKeys(resolve(io.cwd, keys)),
    byAddress,
  })
  const restMs = limit === undefined ? 0 : 2 * limit.periodMs + 50
  const pool = makeClientPool({ ...clients, restMs, now: clockMs })
  const certificates = {
    caFile: options.cacert === undefined ? undefined : resolve(io.cwd, options.cacert),
    insecure: options.insecure,
  }
  const { headers, host } = headersOf(options)
  const http = { ...readCertificateCheck(certificates), ...(host !== undefined && { host }) }
  const pair = makeGatewayPair({ targets, pool, place, headers, http, budget })
  await reach(pair)
  const left = () => Math.max(0, budget.deadline - clockMs())
  const report = await compareTraces(pair.left, pair.right, traces, { ...run, maxMs: left(), ...progressTo(io) })
  const client = await clients.make(pool.made())
  return {
    urls: [targets[0].text, targets[1].text],
    report,
    statuses: pair.statuses(),
    notCompared,
    allHeaders: options.allHeaders === true,
    certificates,
    asSent: (request) => {
      const sent = requestOf(request, client, { place, headers })
      return host === undefined ? sent : { ...sent, headers: [['Host', host], ...sent.headers] }
    },
  }
}

function targetsOf(urls: readonly string[]): readonly [TargetUrl, TargetUrl] {
  const [first, second] = urls
  if (urls.length !== 2 || first === undefined || second === undefined)
    throw new JudgeInputError('name two URLs, such as --compare http://127.0.0.1:8080 http://127.0.0.1:9000')
  return [targetOf(first), targetOf(second)]
}

function targetOf(url: string): TargetUrl {
  const target = parseTarget(url)
  if (target.path.includes('?'))
    throw new JudgeInputError(`${url} has a query; remove it, or write the request into a file for --requests`)
  return target
}

function masksOf({ mask }: CompareOptions): readonly string[] {
  try {
    mask.forEach(parseMask)
    return mask
  } catch (cause) {
    throw new JudgeInputError((cause as Error).message)
  }
}

function renamesOf({ rename }: CompareOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rename.map((text) => {
      const [, left, right] = /^([^\s=:]+)=([^\s=:]+)$/.exec(text) ?? []
      if (left === undefined || right === undefined)
        throw new JudgeInputError(`"${text}" is not a rename; write the header of URL1, = and the header of URL2`)
      return [left, right]
    }),
  )
}

/** Headers of all requests. `Host` is an option of the client. */
function headersOf({ header }: CompareOptions): { readonly headers: HeaderLines; readonly host: string | undefined } {
  const lines = header.map(headerOf)
  const isHost = ([name]: readonly [string, string]) => name.toLowerCase() === 'host'
  const host = lines.find(isHost)?.[1]
  return {
    headers: lines.filter((line) => !isHost(line)).map(([name, value]) => headerLine(name, value, '--header')),
    host,
  }
}

/** Limits first, while the clients are fresh. What does not fit into the time is named. */
function tracesOf(options: CompareOptions, limit: RateLimit | undefined, io: Io) {
  const limits = limit === undefined ? [] : limitTraces(limit)
  const fits = (trace: NamedTrace) => pausesOf(trace) < (options.seconds * 1000) / 4
  const { requests: file, env } = options
  if (file === undefined && env !== undefined) throw new JudgeInputError('--env needs --requests with a collection')
  const environment = env === undefined ? undefined : resolve(io.cwd, env)
  const given = file === undefined ? undefined : readRequests(resolve(io.cwd, file), file, environment)
  const traces = [...limits.filter(fits), ...(given?.traces ?? []), ...(options.textbook ? textbookTraces() : [])]
  const tooLong = limits
    .filter((trace) => !fits(trace))
    .map((trace) => ({
      what: trace.id,
      why: `it waits for ${pausesOf(trace) / 1000} s; raise --seconds to ${Math.ceil(pausesOf(trace) / 250)}`,
    }))
  const notCompared = [...tooLong, ...(given?.notCompared ?? [])]
  if (traces.length === 0 && notCompared.length === 0)
    throw new JudgeInputError('there are no requests to send; remove --no-textbook, or add --requests or --limit')
  return { traces, notCompared }
}

/** Both gateways must respond to the first request. */
async function reach(pair: GatewayPair): Promise<void> {
  for (const { name, open } of [pair.left, pair.right]) {
    const gateway = await open()
    try {
      await gateway.send({ method: 'GET', url: '', headers: [], body: undefined })
    } catch (cause) {
      throw new JudgeInputError(`${name} cannot be compared: ${withCertificateHint((cause as Error).message)}`)
    } finally {
      await gateway.close?.()
    }
  }
}

/** Reports progress once in two seconds. */
function progressTo(io: Io) {
  let printedAt = clockMs()
  return {
    onProgress({ doing, requests, found }: DifferProgress) {
      if (clockMs() < printedAt + 2000) return
      printedAt = clockMs()
      io.err(`${doing}: ${requests} requests, ${found} kinds of differences`)
    },
  }
}
