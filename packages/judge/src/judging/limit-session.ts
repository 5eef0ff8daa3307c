/**
 * Judges one limit: calm traffic shows the kind, attacks look for mistakes, and each mistake is shrunk and repeated. The
 * verdict on a trace is in `models/find-contradiction.ts`.
 */

import { clockMs } from '@turnpike/exchange'
import type { AttackContext } from '../attacks/attack.ts'
import type { BatchOptions } from '../attacks/batch-attack.ts'
import { calmTraces } from '../attacks/calm-traffic.ts'
import { headerStatements } from '../attacks/check-rate-limit-headers.ts'
import { retryStatements } from '../attacks/check-retry-after.ts'
import { randomTraces } from '../attacks/random-traces.ts'
import { traceAttacks } from '../attacks/textbook-attacks.ts'
import { candidateModels } from '../models/candidate-models.ts'
import { delaysRequests } from '../models/delaying-queue-model.ts'
import { explainByModels, findContradiction, whyRuledOut } from '../models/find-contradiction.ts'
import type { Kind, Model, RateLimit } from '../models/model.ts'
import { durationOf, type History, type Statement, type Trace } from '../trace/trace-and-history.ts'
import { batchJobs, type Job, neighbourJobs, retryJob, spellingJobs } from './attack-jobs.ts'
import { type Confirmed, confirm, repetitions } from './confirm-suspicion.ts'
import { groupNotJudged, type NotJudged } from './group-not-judged.ts'
import { isNotRun, type Prober } from './prober.ts'
import { sleepUntil } from './run-budget.ts'
import type { Suspicion } from './suspicion.ts'

export interface LimitToJudge {
  /** For people, such as "5 in 60 s". */
  readonly name: string
  readonly limit: RateLimit
  readonly kind: Kind | 'auto'
  /** Seed of the drawn traces. */
  readonly seed: number
  /** Spellings of a key that the user states to be equal. */
  readonly spellings: readonly string[]
  readonly batch?: BatchOptions
}

export interface LimitReport {
  readonly limit: LimitToJudge
  /** Models that explain all calm traffic. */
  readonly kinds: readonly Model[]
  /** Models that calm traffic ruled out, and how. */
  readonly ruledOut: readonly { readonly model: Model; readonly because: string }[]
  /** Mistakes that were seen in each of three repetitions. */
  readonly findings: readonly Confirmed[]
  /** Mistakes that were not seen in each repetition. */
  readonly unconfirmed: readonly Confirmed[]
  readonly notes: readonly string[]
  readonly notJudged: readonly { readonly what: string; readonly why: string }[]
  /** Names of the attacks that ran. */
  readonly tried: readonly string[]
}

export interface JudgeOptions {
  readonly prober: Prober
  onProgress(text: string): void
}

/** Share of the time in which mistakes are looked for. The rest is for shrinking and repeating them. */
const searchShare = 0.7
/** Traces that run at the same time while mistakes are looked for. */
const lanes = 10
const laneGapMs = 20

const drawnCount = 16

const calm = { name: 'calm', title: 'requests one after the other' }
const headers = { name: 'headers', title: 'what the headers of responses say' }

type DoneJob = Job & { readonly history: History }

class LimitSession {
  readonly suspicions: Suspicion[] = []
  readonly findings: Confirmed[] = []
  readonly unconfirmed: Confirmed[] = []
  busiestEdge: { readonly requests: number; readonly note: string } | undefined
  readonly notJudged: NotJudged[] = []
  readonly ruledOut: { model: Model; because: string }[] = []
  readonly tried = new Set<string>()
  models: readonly Model[]
  readonly searchUntil: number
  readonly target: LimitToJudge
  readonly options: JudgeOptions

  constructor(target: LimitToJudge, options: JudgeOptions) {
    this.target = target
    this.options = options
    const { budget } = options.prober
    this.models = candidateModels(target.limit, target.kind)
    this.searchUntil = clockMs() + searchShare * (budget.deadline - clockMs())
  }

  async run(): Promise<LimitReport> {
    await this.calm()
    await this.attack()
    // What textbook attacks show is confirmed first, because drawn traces use up the rest of the time.
    await this.confirmAll()
    await this.drawn()
    await this.confirmAll()
    return {
      limit: this.target,
      kinds: this.models,
      ruledOut: this.ruledOut,
      findings: this.findings,
      unconfirmed: this.unconfirmed,
      notes: this.busiestEdge === undefined ? [] : [this.busiestEdge.note],
      notJudged: groupNotJudged(this.notJudged),
      tried: [...this.tried],
    }
  }

  private async confirmAll(): Promise<void> {
    for (const suspicion of this.worthConfirming()) {
      if (this.findings.some((finding) => explains(finding.suspicion, suspicion))) continue
      this.options.onProgress(`${suspicion.attack}: shrinking and repeating what was seen`)
      const confirmed = await confirm(suspicion, this.options.prober.budget.deadline)
      const list = confirmed.seen === repetitions ? this.findings : this.unconfirmed
      list.push(confirmed)
    }
    this.suspicions.length = 0
  }

  private async calm(): Promise<void> {
    this.options.onProgress('calm traffic, to detect the kind')
    const jobs = calmTraces(this.target.limit).map((trace) => ({ attack: calm, trace }))
    const done = await this.runAll(jobs)
    if (done.some(({ history }) => delaysRequests(this.target.limit, history.groups))) this.keepDelaying()
    for (const { history } of done) {
      const before = this.models
      const verdict = explainByModels(before, history.groups)
      this.inspectHeaders(history)
      if (verdict.contradiction !== undefined) {
        this.suspect(calm, history, (seen) => findContradiction(before, seen))
        continue
      }
      for (const model of before) {
        const because = whyRuledOut(model, history)
        if (because !== undefined) this.ruledOut.push({ model, because })
      }
      this.models = verdict.models
    }
  }

  private keepDelaying(): void {
    const { count, periodMs } = this.target.limit
    const isDelaying = ({ kind }: Model) => kind === 'delaying'
    if (!this.models.some(isDelaying)) return
    const because = `admitted requests are delayed to distances of ${Math.round(periodMs / count)} ms`
    this.ruledOut.push(...this.models.filter((model) => !isDelaying(model)).map((model) => ({ model, because })))
    this.models = this.models.filter(isDelaying)
  }

  private async attack(): Promise<void> {
    const context: AttackContext = { limit: this.target.limit, models: this.models }
    this.options.onProgress(`attacks: ${traceAttacks.map(({ name }) => name).join(', ')}`)
    const jobs: Job[] = traceAttacks.flatMap((attack) => attack.traces(context).map((trace) => ({ attack, trace })))
    jobs.push(...(await this.specialJobs()))
    for (const { attack, history } of await this.search(jobs)) {
      if (attack.name === 'edge-pair') this.noteEdge(history)
    }
  }

  /** Runs jobs, and suspects the mistakes in their histories. */
  private async search(jobs: readonly Job[]): Promise<readonly DoneJob[]> {
    const done = await this.runAll(jobs)
    for (const { attack, history, check, prober } of done) {
      if (check === undefined) this.inspectHeaders(history)
      const wrong = check ?? ((seen: History) => findContradiction(this.models, seen))
      this.suspect(attack, history, wrong, prober)
    }
    return done
  }

  private async specialJobs(): Promise<readonly Job[]> {
    const { prober } = this.options
    const { limit, batch, spellings } = this.target
    const { jobs, closed } = await spellingJobs(prober, limit, spellings, this.searchUntil)
    if (!closed)
      this.notJudged.push({
        what: 'other spellings of keys',
        why: 'any text is a key here; state equal spellings with --spelling',
      })
    const neighbours = await neighbourJobs(prober, limit, this.models, this.searchUntil)
    return [retryJob(limit), ...jobs, ...batchJobs(limit, batch), ...neighbours]
  }

  private async drawn(): Promise<void> {
    const { seed } = this.target
    this.options.onProgress(`drawn traces, seed ${seed}`)
    const attack = { name: 'drawn', title: `drawn bursts and pauses, seed ${seed}` }
    await this.search(randomTraces(this.target.limit, seed, drawnCount).map((trace) => ({ attack, trace })))
  }

  /** More than the limit within a period is no mistake if the kind of the limiter explains it. */
  private noteEdge(history: History): void {
    const { limit } = this.target
    if (this.models.length === 0 || findContradiction(this.models, history) !== undefined) return
    const admitted = history.groups.filter((group) => group.admitted > 0)
    for (const first of admitted) {
      const inside = admitted.filter(({ sentAt }) => sentAt >= first.sentAt && sentAt < first.sentAt + limit.periodMs)
      const last = inside.at(-1)
      const requests = inside.length
      if (requests <= Math.max(limit.count, this.busiestEdge?.requests ?? 0) || last === undefined) continue
      const span = Math.round(last.answeredAt - first.sentAt)
      const isBucket = this.models.every(({ kind }) => kind === 'token-bucket' || kind === 'delaying')
      const why = isBucket ? 'because room is gained in the meantime' : 'round the edge of a window'
      this.busiestEdge = { requests, note: `${requests} requests within ${span} ms are admitted ${why}` }
    }
  }

  private suspect(
    { name, title }: Job['attack'],
    history: History,
    check: (history: History) => Statement | undefined,
    prober = this.options.prober,
  ): void {
    const statement = check(history)
    if (statement === undefined) return
    const repeat = (trace: Trace, deadline: number) => prober.run(trace, deadline)
    this.suspicions.push({ attack: name, title, history, statement, repeat, check })
  }

  private inspectHeaders(history: History): void {
    const all = (seen: History) => [...headerStatements(seen, this.target.limit), ...retryStatements(seen)]
    for (const { mistake } of all(history)) {
      const before = [...this.suspicions, ...[...this.findings, ...this.unconfirmed].map(({ suspicion }) => suspicion)]
      if (before.some(({ statement }) => statement.mistake === mistake)) continue
      const check = (seen: History) => all(seen).find((statement) => statement.mistake === mistake)
      this.suspect(headers, history, check)
    }
  }

  /** Runs traces at the same time, as far as there are clients. Traces that do not fit into the budget are named. */
  private async runAll(jobs: readonly Job[]): Promise<readonly DoneJob[]> {
    const { prober } = this.options
    const queue = [...jobs]
    const done: DoneJob[] = []
    const work = async (_: unknown, lane: number) => {
      // A trace begins while no other does, because its times are as exact as its first response is quick.
      await sleepUntil(clockMs() + lane * laneGapMs)
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        if (job.attack !== calm && !this.isRepeatable(job.trace)) {
          this.skip(job.attack.name, job.trace, 'three repetitions of it do not fit into the time; raise --seconds')
          continue
        }
        const history = await (job.prober ?? prober).run(job.trace, this.searchUntil, job.more)
        if (isNotRun(history)) this.skip(job.attack.name, job.trace, history.notRun)
        else {
          done.push({ ...job, history })
          this.tried.add(job.attack.name)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(lanes, prober.pool.size, jobs.length) }, work))
    return done.toSorted((a, b) => durationOf(a.trace) - durationOf(b.trace))
  }

  /** What cannot be repeated could not be confirmed, and it would use up the time for the rest. */
  private isRepeatable(trace: Trace): boolean {
    return (1 + repetitions) * durationOf(trace) <= this.options.prober.budget.deadline - clockMs()
  }

  private skip(what: string, trace: Trace, why: string): void {
    const seconds = durationOf(trace) / 1000
    this.notJudged.push({ what, why, seconds })
  }

  /** One suspicion of each attack and mistake, the shortest first; mistakes of calm traffic explain those of attacks. */
  private worthConfirming(): readonly Suspicion[] {
    const found = new Map<string, Suspicion>()
    const cost = ({ attack, history }: Suspicion) =>
      durationOf(history.trace) + (attack === calm.name ? 0 : this.target.limit.periodMs)
    for (const suspicion of this.suspicions.toSorted((a, b) => cost(a) - cost(b))) {
      const name = `${suspicion.attack} ${suspicion.statement.mistake}`
      if (!found.has(name)) found.set(name, suspicion)
    }
    return [...found.values()]
  }
}

/**
 * A crowd that passes at any time also passes at the renewal of the limit, and what one request after the other shows
 * needs no crowd.
 */
function explains(found: Suspicion, other: Suspicion): boolean {
  const isCrowd = ({ history, statement }: Suspicion) => (history.groups[statement.group]?.count ?? 1) > 1
  return found.statement.mistake === other.statement.mistake && (!isCrowd(found) || isCrowd(other))
}

/** Judges one limit within the budget of the prober. */
export function judgeLimit(target: LimitToJudge, options: JudgeOptions): Promise<LimitReport> {
  return new LimitSession(target, options).run()
}
