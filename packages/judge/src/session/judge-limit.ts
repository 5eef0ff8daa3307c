/** Judges one limit: calm traffic shows the kind, attacks look for mistakes, and each mistake is shrunk and repeated. */
import type { AttackContext } from '../attacks/attack.ts'
import { calmTraces } from '../attacks/calm.ts'
import { headerStatements } from '../attacks/headers.ts'
import { traceAttacks } from '../attacks/trace-attacks.ts'
import { clockMs } from '../http/raw-client.ts'
import { candidatesFor, explainBy } from '../models/candidates.ts'
import type { Kind, Model, RateLimit } from '../models/model.ts'
import { durationOf, type History, type Trace } from '../trace/trace.ts'
import { type Confirmed, confirm, repetitions } from './confirm.ts'
import { isNotRun, type Prober } from './prober.ts'
import { contradictionIn, type Statement, type Suspicion, whyRuledOut } from './suspicion.ts'

export interface LimitToJudge {
  /** For people, such as "5 in 60 s". */
  readonly name: string
  readonly limit: RateLimit
  readonly kind: Kind | 'auto'
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

/** What is sent, and for which attack. */
interface Job {
  readonly attack: { readonly name: string; readonly title: string }
  readonly trace: Trace
}

const calm = { name: 'calm', title: 'requests one after the other' }

class LimitSession {
  readonly suspicions: Suspicion[] = []
  readonly notes: string[] = []
  readonly notJudged: { what: string; why: string }[] = []
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
    this.models = candidatesFor(target.limit, target.kind)
    this.searchUntil = clockMs() + searchShare * (budget.deadline - clockMs())
  }

  async run(): Promise<LimitReport> {
    await this.calm()
    await this.attack()
    const findings: Confirmed[] = []
    const unconfirmed: Confirmed[] = []
    for (const suspicion of this.worthConfirming()) {
      if (findings.some((finding) => explains(finding.suspicion, suspicion))) continue
      this.options.onProgress(`${suspicion.attack}: shrinking and repeating what was seen`)
      const confirmed = await confirm(suspicion, this.options.prober.budget.deadline)
      const list = confirmed.seen === repetitions ? findings : unconfirmed
      list.push(confirmed)
    }
    return {
      limit: this.target,
      kinds: this.models,
      ruledOut: this.ruledOut,
      findings,
      unconfirmed,
      notes: this.notes,
      notJudged: this.notJudged,
      tried: [...this.tried],
    }
  }

  private async calm(): Promise<void> {
    this.options.onProgress('calm traffic, to detect the kind')
    const jobs = calmTraces(this.target.limit).map((trace) => ({ attack: calm, trace }))
    for (const { history } of await this.runAll(jobs)) {
      const before = this.models
      const verdict = explainBy(before, history.groups)
      this.inspectHeaders(history)
      if (verdict.contradiction !== undefined) {
        this.suspect(calm.name, calm.title, history, before)
        continue
      }
      for (const model of before) {
        const because = whyRuledOut(model, history)
        if (because !== undefined) this.ruledOut.push({ model, because })
      }
      this.models = verdict.models
    }
  }

  private async attack(): Promise<void> {
    const context: AttackContext = { limit: this.target.limit, models: this.models }
    this.options.onProgress(`attacks: ${traceAttacks.map(({ name }) => name).join(', ')}`)
    const jobs = traceAttacks.flatMap((attack) => attack.traces(context).map((trace) => ({ attack, trace })))
    for (const { attack, history } of await this.runAll(jobs)) {
      this.inspectHeaders(history)
      this.suspect(attack.name, attack.title, history, this.models)
    }
  }

  private suspect(attack: string, title: string, history: History, models: readonly Model[]): void {
    const check = (seen: History) => contradictionIn(models, seen)
    this.suspectBy(attack, title, history, check, true)
  }

  private suspectBy(
    attack: string,
    title: string,
    history: History,
    check: (history: History) => Statement | undefined,
    canShrink: boolean,
  ): void {
    const statement = check(history)
    if (statement === undefined) return
    const { prober } = this.options
    const repeat = (trace: Trace, deadline: number) => prober.run(trace, deadline)
    this.suspicions.push({ attack, title, history, statement, repeat, check, canShrink })
  }

  private inspectHeaders(history: History): void {
    for (const { mistake } of headerStatements(history, this.target.limit)) {
      if (this.suspicions.some(({ statement }) => statement.mistake === mistake)) continue
      const check = (seen: History) =>
        headerStatements(seen, this.target.limit).find((statement) => statement.mistake === mistake)
      this.suspectBy('headers', 'what the headers of responses say', history, check, true)
    }
  }

  /** Runs traces at the same time, as far as there are clients. Traces that do not fit into the budget are named. */
  private async runAll(jobs: readonly Job[]): Promise<readonly (Job & { readonly history: History })[]> {
    const { prober } = this.options
    const queue = [...jobs]
    const done: (Job & { readonly history: History })[] = []
    const work = async () => {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        const history = await prober.run(job.trace, this.searchUntil)
        if (isNotRun(history)) this.skip(job.attack.name, job.trace, history.notRun)
        else {
          done.push({ ...job, history })
          this.tried.add(job.attack.name)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(lanes, prober.pool.size) }, work))
    return done.toSorted((a, b) => durationOf(a.trace) - durationOf(b.trace))
  }

  private skip(what: string, trace: Trace, why: string): void {
    const seconds = durationOf(trace) / 1000
    this.notJudged.push({ what: seconds < 0.1 ? what : `${what} over ${seconds.toFixed(1)} s`, why })
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
