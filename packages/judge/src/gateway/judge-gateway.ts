/** Judges a gateway from code; the command uses the same functions. */

import { clockMs } from '@turnpike/exchange'
import { type CertificateOptions, readCertificateCheck, withCertificateHint } from '../http/certificate-check.ts'
import { type Client, makeClientPool } from '../http/client-pool.ts'
import { foreignAddresses } from '../http/is-own-machine.ts'
import { makeRawClient, parseTarget, type TargetUrl } from '../http/raw-client.ts'
import { JudgeInputError } from '../judge-input.ts'
import type { Confirmed } from '../judging/confirm-suspicion.ts'
import type { LimitToJudge } from '../judging/limit-report.ts'
import { judgeLimit } from '../judging/limit-session.ts'
import { isNotRun, makeProber, type Subject } from '../judging/prober.ts'
import { makeBudget } from '../judging/run-budget.ts'
import { curlScript } from '../report/curl-script.ts'
import { type Judgement, toJudgement } from '../report/judge-json-report.ts'
import { checkGateway, clientsOf, type GatewayToJudge, requestOf } from './gateway-to-judge.ts'
import { limitToJudge } from './limit-options.ts'

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
  const judged = limitToJudge(gateway)
  const { limits } = judged
  const [limit] = limits
  const maxRate = await allowedRate(target, gateway)
  const { rejected = [429, 503], admitted = [], key: place = {}, seconds = 60, signal } = gateway
  const { maxRequests = defaultRequests(limits) } = gateway
  const { periodMs } = limit
  const subject: Subject = { request: requestOf(gateway, target), place, rejected, admitted, periodMs }
  const http = makeRawClient(readCertificateCheck(gateway))
  const budget = makeBudget({ seconds, maxRequests, maxRate, signal })
  const clients = clientsOf(gateway)
  const pool = makeClientPool({ ...clients, restMs: restOf(limits), now: clockMs })
  try {
    const prober = makeProber(subject, http, pool, budget)
    const first = await prober.run({ steps: [{ atMs: 0, count: 1, together: false }] }, budget.deadline)
    if (isNotRun(first))
      throw new JudgeInputError(`${target.text} cannot be judged: ${withCertificateHint(first.notRun)}`)
    const onProgress = (line: string) => gateway.onProgress?.(line)
    const report = await judgeLimit(judged, { prober, onProgress })
    const unused = report.findings.length === 0 ? undefined : await clients.make(pool.made())
    const script = (finding: Confirmed) => scriptOf(finding, subject, unused, gateway)
    const used = { requests: budget.sent(), seconds: (clockMs() - budget.startedAt) / 1000 }
    return toJudgement(report, script, used)
  } finally {
    http.close()
  }
}

type Limits = LimitToJudge['limits']

/** Enough for a complete verdict, and for the repetitions of a few mistakes. */
function defaultRequests(limits: Limits): number {
  return Math.max(5000, ...limits.map(({ count, burst = count }) => 250 * Math.max(count, burst)))
}

function restOf(limits: Limits): number {
  return Math.max(...limits.map(({ periodMs, blockMs = periodMs }) => periodMs + Math.max(periodMs, blockMs))) + 50
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
