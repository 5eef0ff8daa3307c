/** Sends a trace through the user's gateway and compares each response with the guarantee. */
import type { GatewaySettings } from '@turnpike/core/ports'
import { type CoverageMap, makeCoverageCount } from './coverage.ts'
import type { LimitedTarget } from './find-targets.ts'
import { openSandbox, type Sandbox, type SandboxOptions, type Verdict } from './gateway-sandbox.ts'
import { type Action, actionsOf, kindsOfKeys, maxToExhaust, type TraceCase } from './generate-traces.ts'
import { type Meter, makeMeter, wholeAmount } from './limit-model.ts'
import type { RequestLimit } from './limits-of-request.ts'
import { type Credential, requestFor } from './possible-requests.ts'
import type { GatewayEvent } from './property-filter.ts'
import { type KeyKind, makeKey } from './trace-subjects.ts'
import { type Expected, isRight, type Moment, type Violation, violationOf } from './violation.ts'

export interface TraceRun {
  readonly requests: number
  readonly moments: readonly Moment[]
  readonly violation: Violation | undefined
  readonly coverage: CoverageMap
}

export interface TraceRunOptions extends SandboxOptions {
  readonly settings: GatewaySettings
  readonly keyKinds: readonly KeyKind[]
}

interface Actor {
  readonly keyKind: KeyKind
  readonly name: string
  readonly credential: Credential | undefined
  isDeleted: boolean
  /** Second of the key's last write; another write in the same second does not reset the rate. */
  writtenAt: number
}

/** Runs one case on a new gateway. The same case always gives the same result. */
export async function runTrace(traceCase: TraceCase, options: TraceRunOptions): Promise<TraceRun> {
  const sandbox = await openSandbox(options)
  try {
    const keys = kindsOfKeys(traceCase, options.keyKinds)
    const actors = await Promise.all(keys.map((keyKind, i) => makeActor(sandbox, keyKind, i)))
    const player = new TracePlayer(sandbox, actors, options.settings)
    return await player.play(actionsOf(traceCase, keys, sandbox.clock.now()))
  } finally {
    await sandbox.close()
  }
}

/** Performs the actions of a trace until a response violates a guarantee. */
class TracePlayer {
  private readonly moments: Moment[] = []
  private readonly coverage = makeCoverageCount()
  private readonly meters = new Map<string, Meter>()
  private requests = 0
  private violation: Violation | undefined
  private readonly start: number
  private readonly sandbox: Sandbox
  private readonly actors: readonly Actor[]
  private readonly settings: GatewaySettings

  constructor(sandbox: Sandbox, actors: readonly Actor[], settings: GatewaySettings) {
    this.sandbox = sandbox
    this.actors = actors
    this.settings = settings
    this.start = sandbox.clock.now()
  }

  async play(actions: readonly Action[]): Promise<TraceRun> {
    for (const action of actions) {
      if (this.violation !== undefined) break
      if (action.kind === 'use-up') await this.exhaustLimit(action)
      else if (action.kind === 'send') await this.sendBurst(action)
      else await this.applyEvent(action)
    }
    const { requests, moments, violation, coverage } = this
    return { requests, moments, violation, coverage: coverage.byWords }
  }

  private async sendBurst({ afterMs, key, limitedTarget, count }: Action & { kind: 'send' }): Promise<void> {
    const { clock } = this.sandbox
    clock.moveTo(clock.now() + afterMs)
    if (afterMs < 0) this.moments.push({ kind: 'clock', at: this.elapsed(), key: '', byMs: afterMs })
    const actor = this.actors[key] as Actor
    await this.send(actor, actor.keyKind.limitedTargets[limitedTarget] as LimitedTarget, count)
  }

  private async exhaustLimit(action: Action & { kind: 'use-up' }): Promise<void> {
    const actor = this.actors[action.key] as Actor
    const limitedTarget = actor.keyKind.limitedTargets[action.limitedTarget] as LimitedTarget
    const limit = limitedTarget.limits[action.limit]
    if (limit === undefined) return
    if (wholeAmount(limit.amount).most > maxToExhaust) return
    for (let sent = 0; sent <= maxToExhaust && this.violation === undefined; sent += 1) {
      const { rejectedBy } = await this.send(actor, limitedTarget, 1)
      if (rejectedBy === 'no such key' || rejectedBy === limit) return
      if (rejectedBy !== undefined) this.sandbox.clock.advance(wholeAmount(rejectedBy.amount).windowMs)
    }
  }

  private async applyEvent({ kind, key }: Action & { kind: GatewayEvent }): Promise<void> {
    const actor = this.actors[key] as Actor
    const { gateway, clock } = this.sandbox
    const { plan } = actor.keyKind
    if (kind === 'reload') await gateway.reload()
    else if (plan === undefined || actor.credential === undefined || actor.isDeleted) return
    else if (kind === 'delete') {
      actor.isDeleted = await gateway.keys.remove(actor.credential.key, orgOf(plan.session.orgId))
    } else {
      if (kind === 'update' && !mayReset(actor, this.sandbox)) return
      const { password } = actor.credential
      const document = password === undefined ? plan.document : { ...plan.document, basic_auth_data: { password } }
      const lookup = { ...orgOf(plan.session.orgId), keepCounters: kind === 'rewrite' }
      await gateway.keys.update(actor.credential.key, document, lookup)
      if (kind === 'update') resetMeters(actor, this.meters, clock.now())
    }
    this.moments.push({ kind, at: this.elapsed(), key: actor.name })
  }

  /** Sends `count` requests concurrently; returns the expected result of the last one. */
  private async send(actor: Actor, limitedTarget: LimitedTarget, count: number): Promise<Expected> {
    const guaranteed = Array.from({ length: count }, () => this.expect(actor, limitedTarget))
    const request = requestFor(limitedTarget.target, actor.credential)
    const verdicts = inOrderOf(guaranteed, await this.sandbox.send(guaranteed.map(() => request)), limitedTarget)
    this.requests += count
    const at = this.elapsed()
    for (const [i, verdict] of verdicts.entries()) {
      const expected = guaranteed[i] as Expected
      const right = isRight(expected, verdict, limitedTarget)
      const moment: Moment = { kind: 'request', at, key: actor.name, limitedTarget, verdict, expected, right }
      this.moments.push(moment)
      if (right) continue
      this.violation = violationOf(moment, this.moments, actor.keyKind.plan)
      break
    }
    return guaranteed.at(-1) as Expected
  }

  /** Counts a request in the model, and returns the result that the guarantees allow. */
  private expect(actor: Actor, { limits }: LimitedTarget): Expected {
    for (const limit of limits) {
      if (actor.isDeleted && limit.stage !== 'org-limits') break
      const decision = this.meterOf(actor, limit).consume(this.sandbox.clock.now(), limit.amount)
      this.coverage.add(limit, decision.allowed, decision.used)
      if (!decision.allowed) return { rejectedBy: limit, used: decision.used }
    }
    return actor.isDeleted ? { rejectedBy: 'no such key', used: 0 } : { rejectedBy: undefined, used: 0 }
  }

  private meterOf(actor: Actor, limit: RequestLimit): Meter {
    const name = `${limit.counter.replace('{key}', `key ${actor.name}`)} ${limit.kind}`
    const known = this.meters.get(name)
    if (known !== undefined) return known
    const meter = makeMeter(limit.kind, this.settings.limits.rollingOneLess)
    this.meters.set(name, meter)
    return meter
  }

  private elapsed(): number {
    return this.sandbox.clock.now() - this.start
  }
}

/**
 * Assigns the verdicts of equal concurrent requests to the expected ones. A stage that runs outside this thread, such as
 * a script, can change the order of the requests, so a guarantee says how many of them pass, but not which ones.
 */
function inOrderOf(guaranteed: readonly Expected[], verdicts: readonly Verdict[], target: LimitedTarget): Verdict[] {
  if (guaranteed.every((expected, i) => isRight(expected, verdicts[i] as Verdict, target))) return [...verdicts]
  const left = [...verdicts]
  const assigned = guaranteed.map((expected) => {
    const at = left.findIndex((verdict) => isRight(expected, verdict, target))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return assigned.map((verdict) => verdict ?? (left.shift() as Verdict))
}

async function makeActor(sandbox: Sandbox, keyKind: KeyKind, index: number): Promise<Actor> {
  const name = String.fromCharCode(65 + index)
  const made = keyKind.plan === undefined ? undefined : await makeKey(sandbox, keyKind.plan, `verify-${name}`)
  if (made !== undefined && 'problem' in made) throw new Error(`a key could not be made: ${made.problem}`)
  return { keyKind, name, credential: made, isDeleted: false, writtenAt: Math.floor(sandbox.clock.now() / 1000) }
}

const orgOf = (orgId: string) => (orgId === '' ? {} : { orgId })

/**
 * Returns false if the files say that an update keeps the counters or that counters have another name; traces do not
 * reset the counters of such keys.
 */
function mayReset({ keyKind }: Actor, { gateway }: Sandbox): boolean {
  const apis = new Map(gateway.apis().map((api) => [api.id, api]))
  const ids = Object.keys(keyKind.plan?.session.accessRights ?? {})
  const all = [...ids, ...(keyKind.plan?.policies ?? []).flatMap(({ accessRights }) => Object.keys(accessRights ?? {}))]
  const isFixed = keyKind.plan?.policies.some(({ lastUpdated }) => lastUpdated !== '') === true
  const metas = [keyKind.plan?.session.metaData, ...(keyKind.plan?.policies ?? []).map(({ metaData }) => metaData)]
  const isShared = metas.some((meta) => meta?.rate_limit_pattern !== undefined)
  const marked = [...apis.values()].some((api) => all.includes(api.id) && api.document.dontSetQuotaOnCreate)
  return !isFixed && !isShared && !marked
}

/** As documented, an update resets the quota at once and the default limiter's bucket from the next second on. */
function resetMeters(actor: Actor, meters: ReadonlyMap<string, Meter>, now: number): void {
  const second = Math.floor(now / 1000)
  const isLater = second !== actor.writtenAt
  actor.writtenAt = second
  for (const [name, meter] of meters) {
    if (!name.startsWith(`key ${actor.name} `)) continue
    if (name.endsWith(' quota') || (name.endsWith(' local') && isLater)) meter.forget()
  }
}
