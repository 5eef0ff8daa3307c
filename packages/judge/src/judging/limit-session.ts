/**
 * Judges one limit: calm traffic shows the kind, attacks look for mistakes, and each mistake is shrunk and repeated. The
 * verdict on a trace is in `models/standard.ts`.
 */

import type { AttackContext } from '../attacks/attack.ts'
import { calmTraces } from '../attacks/calm-traffic.ts'
import { headerStatements } from '../attacks/check-rate-limit-headers.ts'
import { retryStatements } from '../attacks/check-retry-after.ts'
import { roomStatement } from '../attacks/check-room.ts'
import { randomTraces } from '../attacks/random-traces.ts'
import { jointJobs, traceAttacks } from '../attacks/textbook-attacks.ts'
import { delaysRequests } from '../models/delaying-queue-model.ts'
import { whyRuledOut } from '../models/find-contradiction.ts'
import type { Model } from '../models/model.ts'
import { findContradiction, findOddity, firstStandard, learn, type Standard } from '../models/standard.ts'
import { durationOf, type History, type Statement, type Trace } from '../trace/trace-and-history.ts'
import { batchJobs, type Job, neighbourJobs, retryJob, spellingJobs } from './attack-jobs.ts'
import { type Confirmed, confirm, repetitions } from './confirm-suspicion.ts'
import { type Cause, findCause, findLowerLimit, findSlowerBucket } from './find-cause.ts'
import { groupNotJudged } from './group-not-judged.ts'
import { completeBudget, type LimitReport, type LimitToJudge, outcomeOf } from './limit-report.ts'
import { isLockedOut, staysRejected } from './locked-out.ts'
import type { Prober } from './prober.ts'
import { learnRejectedStatus } from './rejected-status.ts'
import { sharedClients } from './shared-clients.ts'
import type { Suspicion } from './suspicion.ts'
import { type DoneJob, makeTraceQueue, type TraceQueue } from './trace-queue.ts'
import { busierEdge } from './usual-edge.ts'

export interface JudgeOptions {
  readonly prober: Prober
  /** Traces that run at the same time while mistakes are looked for. Default 10. */
  readonly lanes?: number
  onProgress(text: string): void
}

/** Share of the time for the search. The rest is for shrinking and repeating mistakes. */
const searchShare = 0.7
const drawnCount = 16
/** How many odd histories are compared with other limits. */
const maxCompared = 3

const calm = { name: 'calm', title: 'requests one after the other' }
const headers = { name: 'headers', title: 'what the headers of responses say' }

class LimitSession {
  readonly suspicions: Suspicion[] = []
  readonly findings: Confirmed[] = []
  readonly unconfirmed: Confirmed[] = []
  readonly causes: Cause[] = []
  readonly calmHistories: History[] = []
  /** The histories of crowds of fresh clients. */
  readonly crowds: History[] = []
  busiestEdge: string | undefined
  oddity: string | undefined
  compared = 0
  readonly doubts = new Set<string>()
  readonly ruledOut: { model: Model; because: string }[] = []
  readonly queue: TraceQueue
  standard: Standard
  readonly searchUntil: number
  readonly target: LimitToJudge
  readonly options: JudgeOptions

  constructor(target: LimitToJudge, options: JudgeOptions) {
    this.target = target
    this.options = options
    const { budget } = options.prober
    this.queue = makeTraceQueue(options.prober, options.lanes ?? 10)
    this.standard = firstStandard(target.limits, target.kind)
    const now = budget.timer.now()
    this.searchUntil = now + searchShare * (budget.deadline - now)
  }

  async run(): Promise<LimitReport> {
    const shared = await sharedClients(this.options.prober, this.target.limits[0], this.searchUntil)
    // Nothing else can be judged if all clients are one.
    if (shared !== undefined) {
      this.findings.push(shared)
      this.queue.tried.add(shared.suspicion.attack)
      return this.report()
    }
    await this.calm()
    await this.attack()
    // What textbook attacks show is confirmed first, because drawn traces use up the rest of the time.
    await this.confirmAll()
    await this.drawn()
    await this.confirmAll()
    return this.report()
  }

  private report(): LimitReport {
    const { queue, findings, unconfirmed, target, oddity } = this
    const { budget } = this.options.prober
    const facts = { findings, unconfirmed, tried: queue.tried, beyondBudget: queue.beyondBudget, doubts: this.doubts }
    const { outcome, why } = outcomeOf({ ...facts, isInterrupted: budget.isStopped() })
    return {
      limit: target,
      kinds: this.standard.kinds,
      ruledOut: this.ruledOut,
      // A mistake makes any kind look odd.
      ...(oddity !== undefined && findings.length === 0 && { oddity }),
      outcome,
      undecided: why,
      findings,
      unconfirmed,
      notes: this.busiestEdge === undefined ? [] : [this.busiestEdge],
      notJudged: groupNotJudged(queue.notJudged),
      ...(queue.beyondBudget.size > 0 && { needs: completeBudget(queue.planned) }),
      tried: [...queue.tried],
    }
  }

  private async confirmAll(): Promise<void> {
    for (const suspicion of this.worthConfirming()) {
      if (this.isExplained(suspicion)) continue
      this.options.onProgress(`${suspicion.attack}: shrinking and repeating what was seen`)
      const { budget } = this.options.prober
      const confirmed = await confirm(suspicion, budget)
      if (confirmed.seen < repetitions) {
        this.unconfirmed.push(confirmed)
        continue
      }
      const cause = findCause(this.target.limits, suspicion, [...this.calmHistories, ...this.crowds])
      if (cause !== undefined) this.causes.push(cause)
      this.findings.push({ ...confirmed, ...(cause !== undefined && { cause: cause.text }) })
    }
    this.suspicions.length = 0
  }

  /** A mistake that a finding or its cause explains is not reported again. */
  private isExplained(suspicion: Suspicion): boolean {
    if (this.findings.some((finding) => explains(finding.suspicion, suspicion))) return true
    return this.causes.some((cause) => cause.explains(suspicion))
  }

  private async calm(): Promise<void> {
    this.options.onProgress('calm traffic, to detect the kind')
    const { periodMs } = this.target.limits[0]
    // At different phases of the period, so that windows on a grid look like no other kind.
    const gapMs = periodMs > 10_000 ? 20 : Math.max(20, 0.17 * periodMs)
    const jobs = calmTraces(this.target.limits[0]).map((trace) => ({ attack: calm, trace }))
    const done = learnRejectedStatus(this.options.prober.subject, await this.queue.run(jobs, this.searchUntil, gapMs))
    if (done.some(({ history }) => delaysRequests(this.target.limits[0], history.groups))) this.keepDelaying()
    for (const { history } of done) {
      this.calmHistories.push(history)
      const before = this.standard
      this.inspectHeaders(history)
      this.suspect(calm, history, (seen) => roomStatement(this.target.limits, seen))
      this.suspect(calm, history, (seen) => findContradiction(before, seen))
      this.learn(history)
    }
    this.standard = { ...this.standard, isComplete: true }
    const isUnknown = this.standard.kinds.length === 0 && this.suspicions.length === 0
    const lower = isUnknown ? findSlowerBucket(this.target.limits, this.calmHistories) : undefined
    if (lower !== undefined) this.doubts.add(lower)
  }

  private learn(history: History): void {
    for (const model of this.standard.kinds) {
      const because = whyRuledOut(model, history)
      if (because !== undefined) this.ruledOut.push({ model, because })
    }
    this.standard = learn(this.standard, history)
  }

  private keepDelaying(): void {
    const { count, periodMs } = this.target.limits[0]
    const isDelaying = ({ kind }: Model) => kind === 'delaying'
    const { kinds } = this.standard
    if (!kinds.some(isDelaying)) return
    const because = `admitted requests are delayed to distances of ${Math.round(periodMs / count)} ms`
    this.ruledOut.push(...kinds.filter((model) => !isDelaying(model)).map((model) => ({ model, because })))
    this.standard = { ...this.standard, kinds: kinds.filter(isDelaying) }
  }

  private async attack(): Promise<void> {
    const contexts = this.target.limits.map(
      (limit): AttackContext => ({
        limit,
        models: this.standard.kinds,
        isVirtual: this.target.isFunction === true,
      }),
    )
    this.options.onProgress(`attacks: ${traceAttacks.map(({ name }) => name).join(', ')}`)
    const attacks = contexts.flatMap((context) =>
      traceAttacks.flatMap((attack) => attack.traces(context).map((trace) => ({ attack, trace }))),
    )
    const done = await this.search([...attacks, ...jointJobs(this.target.limits), ...(await this.specialJobs())])
    for (const { attack, history } of done) {
      if (attack.name === 'edge-pair')
        this.busiestEdge = busierEdge(this.standard, this.target.limits[0], history) ?? this.busiestEdge
      if (attack.name === 'crowd') this.crowds.push(history)
    }
  }

  /** Runs jobs, and suspects the mistakes in their histories. */
  private async search(jobs: readonly Job[]): Promise<readonly DoneJob[]> {
    const done = await this.queue.run(jobs, this.searchUntil)
    for (const job of done) {
      const { attack, history, check, prober } = job
      if (check === undefined) this.inspectHeaders(history)
      const { standard } = this
      const wrong = check ?? ((seen: History) => findContradiction(standard, seen))
      const isSuspected = this.suspect(attack, history, wrong, prober)
      if (!isSuspected && check === undefined) this.doubt(job)
    }
    return done
  }

  /** Within the bounds, what no kind explains says something about the kind, unless another limit explains everything. */
  private doubt({ attack, history }: DoneJob): void {
    const { limits, kind } = this.target
    if (limits.every(({ blockMs }) => blockMs === undefined) && staysRejected(limits, history))
      this.doubts.add('clients are still rejected after a rest of two periods; if they are blocked, state --block')
    const { standard } = this
    const odd = findOddity(standard, history)
    if (odd === undefined) return
    const suspectOdd = (title: string) =>
      this.suspect({ ...attack, title }, history, (seen) => findOddity(standard, seen))
    // A stated burst documents a bucket.
    const isDocumented = kind !== 'auto' || limits[0].burst !== undefined
    // Comparing with other limits takes time, in which this process sends no requests.
    const isCompared = this.suspicions.length === 0 && this.compared < maxCompared
    if (isCompared) this.compared += 1
    const isFirst = history.groups.slice(0, odd.group).every((group) => group.admitted === group.count)
    const lower =
      isCompared && odd.mistake === 'too few' && isFirst
        ? findLowerLimit(limits, [...this.calmHistories, history])
        : undefined
    if (lower !== undefined && (lower.isLarge || isDocumented)) suspectOdd(attack.title)
    // Counters on a grid look like many limiters, so small differences say nothing.
    else if (lower !== undefined && standard.kinds.every((model) => model.kind !== 'sliding-window'))
      this.doubts.add(`${lower.text}; with --kind this is a mistake`)
    else if (isLockedOut(limits, standard, history)) suspectOdd('clients that retry are locked out')
    else this.oddity ??= `${attack.name}: ${odd.text}`
  }

  private async specialJobs(): Promise<readonly Job[]> {
    const { prober } = this.options
    const { limits, batch, spellings, isFunction } = this.target
    const [limit] = limits
    const { standard } = this
    const options = { limit, standard, isVirtual: isFunction === true }
    const neighbours = await neighbourJobs(prober, options, this.searchUntil)
    if (isFunction === true) return neighbours
    const { jobs, closed } = await spellingJobs(prober, limit, spellings, this.searchUntil)
    if (!closed)
      this.queue.notJudged.push({
        what: 'other spellings of keys',
        why: 'any text is a key here; state equal spellings with --spelling',
      })
    return [retryJob(limit), ...jobs, ...batchJobs(limit, batch), ...neighbours]
  }

  private async drawn(): Promise<void> {
    const { seed, limits } = this.target
    this.options.onProgress(`drawn traces, seed ${seed}`)
    const attack = { name: 'drawn', title: `drawn bursts and pauses, seed ${seed}` }
    await this.search(randomTraces(limits[0], seed, drawnCount).map((trace) => ({ attack, trace })))
  }

  /** Returns true if the check finds something wrong. */
  private suspect(
    { name, title }: Job['attack'],
    history: History,
    check: (history: History) => Statement | undefined,
    prober = this.options.prober,
  ): boolean {
    const statement = check(history)
    if (statement === undefined) return false
    const repeat = (trace: Trace, deadline: number) => prober.run(trace, deadline)
    this.suspicions.push({ attack: name, title, history, statement, repeat, check })
    return true
  }

  private inspectHeaders(history: History): void {
    const all = (seen: History) => [...headerStatements(seen, this.target.limits[0]), ...retryStatements(seen)]
    for (const { mistake } of all(history)) {
      const before = [...this.suspicions, ...[...this.findings, ...this.unconfirmed].map(({ suspicion }) => suspicion)]
      if (before.some(({ statement }) => statement.mistake === mistake)) continue
      const check = (seen: History) => all(seen).find((statement) => statement.mistake === mistake)
      this.suspect(headers, history, check)
    }
  }

  /** One suspicion of each attack and mistake, the shortest first; mistakes of calm traffic explain those of attacks. */
  private worthConfirming(): readonly Suspicion[] {
    const found = new Map<string, Suspicion>()
    const cost = ({ attack, history }: Suspicion) =>
      durationOf(history.trace) + (attack === calm.name ? 0 : this.target.limits[0].periodMs)
    for (const suspicion of this.suspicions.toSorted((a, b) => cost(a) - cost(b))) {
      const name = `${suspicion.attack} ${suspicion.statement.mistake}`
      if (!found.has(name)) found.set(name, suspicion)
    }
    return [...found.values()]
  }
}

/**
 * A crowd that passes at any time also passes at the renewal of the limit and in longer traces, and what one request
 * after the other shows needs no crowd.
 */
function explains(found: Suspicion, other: Suspicion): boolean {
  const isCrowd = ({ history }: Suspicion) => history.trace.steps.some(({ together, count }) => together && count > 1)
  return found.statement.mistake === other.statement.mistake && (!isCrowd(found) || isCrowd(other))
}

/** Judges one limit within the budget of the prober. */
export function judgeLimit(target: LimitToJudge, options: JudgeOptions): Promise<LimitReport> {
  return new LimitSession(target, options).run()
}
