/** Judges a gateway from code; the command uses the same functions. */

import { clockMs } from '@turnpike/exchange'
import { type CertificateOptions, readCertificateCheck, withCertificateHint } from '../http/certificate-check.ts'
import { type Client, makeClientPool } from '../http/client-pool.ts'
import { foreignAddresses } from '../http/is-own-machine.ts'
import { makeRawClient, parseTarget, type TargetUrl } from '../http/raw-client.ts'
import { JudgeInputError } from '../judge-input.ts'
import type { Confirmed } from '../judging/confirm-suspicion.ts'
import { judgeLimit, type LimitReport, type LimitToJudge } from '../judging/limit-session.ts'
import { isNotRun, makeProber, type Subject } from '../judging/prober.ts'
import { makeBudget } from '../judging/run-budget.ts'
import type { RateLimit } from '../models/model.ts'
import { curlScript } from '../report/curl-script.ts'
import { type Judgement, toJsonReport } from '../report/judge-json-report.ts'
import { reportLines } from '../report/text-report.ts'
import { checkGateway, clientsOf, type GatewayToJudge, requestOf } from './gateway-to-judge.ts'
import { parseLimit, showLimit } from './parse-limit.ts'

const foreignMaxRate = 20

/**
 * Looks for mistakes in the limit of a gateway: calm traffic, textbook attacks and drawn traces, each with fresh clients.
 * Every mistake is shrunk and repeated alone. Ends within `seconds`.
 *
 * Rejects with a `JudgeInputError` if an option is wrong, the host is not this machine, or the first request fails.
 */
export async function judgeGateway(gateway: GatewayToJudge): Promise<Judgement> {
  checkGateway(gateway)
  const target = parseTarget(gateway.url)
  const limit = { ...parseLimit(gateway.limit), ...(gateway.burst !== undefined && { burst: gateway.burst }) }
  const maxRate = await allowedRate(target, gateway)
  const { rejected = [429, 503], admitted = [], key: place = {}, seconds = 60, maxRequests = 5000 } = gateway
  const subject: Subject = { request: requestOf(gateway, target), place, rejected, admitted, periodMs: limit.periodMs }
  const http = makeRawClient(readCertificateCheck(gateway))
  const budget = makeBudget({ seconds, maxRequests, maxRate })
  const clients = clientsOf(gateway)
  const pool = makeClientPool({ ...clients, restMs: 2 * limit.periodMs + 50, now: clockMs })
  try {
    const prober = makeProber(subject, http, pool, budget)
    const first = await prober.run({ steps: [{ atMs: 0, count: 1, together: false }] }, budget.deadline)
    if (isNotRun(first))
      throw new JudgeInputError(`${target.text} cannot be judged: ${withCertificateHint(first.notRun)}`)
    const onProgress = (line: string) => gateway.onProgress?.(line)
    const report = await judgeLimit(limitToJudge(gateway, limit), { prober, onProgress })
    const unused = report.findings.length === 0 ? undefined : await clients.make(pool.made())
    const script = (finding: Confirmed) => scriptOf(finding, subject, unused, gateway)
    return toJudgement(report, script, budget.sent(), (clockMs() - budget.startedAt) / 1000)
  } finally {
    http.close()
  }
}

/** `script` returns the script that repeats a finding with curl. */
function toJudgement(
  report: LimitReport,
  script: (finding: Confirmed) => string,
  requests: number,
  seconds: number,
): Judgement {
  const { findings, tried, limit } = report
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  const summary = `${found}, ${requests} requests in ${seconds.toFixed(1)} s`
  return {
    ...toJsonReport(report, script),
    holds: findings.length === 0 && tried.length > 0,
    seed: limit.seed,
    requests,
    seconds,
    text: [...reportLines(report, script), summary, ...(tried.length === 0 ? ['nothing was judged'] : [])].join('\n'),
  }
}

function limitToJudge({ kind = 'auto', seed, spellings = [], batch }: GatewayToJudge, limit: RateLimit): LimitToJudge {
  return {
    name: showLimit(limit),
    limit,
    kind,
    seed: seed ?? Math.floor(Math.random() * 1_000_000),
    spellings,
    ...(batch !== undefined && { batch }),
  }
}

function scriptOf(
  { history, statement }: Confirmed,
  subject: Subject,
  unused: Client | undefined,
  certificates: CertificateOptions,
): string {
  const { request, place, periodMs } = subject
  const client = unused ?? { name: history.client, key: history.client }
  return curlScript({ trace: history.trace, request, place, client, statement: statement.text, periodMs, certificates })
}

/** Returns the cap on requests per second. Rejects hosts that are not this machine. */
export async function allowedRate(
  target: TargetUrl,
  { maxRate, iOwnThisHost }: Pick<GatewayToJudge, 'maxRate' | 'iOwnThisHost'>,
): Promise<number | undefined> {
  const foreign = await foreignAddresses(target.hostname).catch((cause: Error) => {
    throw new JudgeInputError(`${target.hostname} does not resolve: ${cause.message}`)
  })
  if (foreign.length === 0) return maxRate
  if (iOwnThisHost === true) return maxRate ?? foreignMaxRate
  throw new JudgeInputError(
    `${target.hostname} is ${foreign.join(', ')}, not this machine; the attacks of judge are only for your own gateways: add --i-own-this-host (in code: iOwnThisHost) if it is yours`,
  )
}
