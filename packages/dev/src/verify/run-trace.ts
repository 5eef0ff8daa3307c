/** Sends a trace through the user's gateway and compares each response with the guarantee. */
import type { GatewaySettings } from '@turnpike/core'
import { type CoverageMap, makeCoverageCount } from './coverage.ts'
import type { LimitedTarget } from './find-targets.ts'
import { openSandbox, type Sandbox, type SandboxOptions, type Verdict } from './gateway-sandbox.ts'
import { type Meter, makeMeter, wholeAmount } from './limit-model.ts'
import { type Credential, requestFor } from './possible-requests.ts'
import { type Action, actionsOf, kindsOfKeys, maxToExhaust, type TraceCase } from './trace-case.ts'
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
export async function runTrace(drawn: TraceCase, parts: TraceRunOptions): Promise<TraceRun> {
  const sandbox = await openSandbox(parts)
  try {
    return await playTrace(drawn, parts, sandbox)
  } finally {
    await sandbox.close()
  }
}

async function playTrace(drawn: TraceCase, parts: TraceRunOptions, sandbox: Sandbox): Promise<TraceRun> {
  const { clock, gateway } = sandbox
  const keys = kindsOfKeys(drawn, parts.keyKinds)
  const actors = await Promise.all(keys.map((keyKind, i) => makeActor(sandbox, keyKind, i)))
  const start = clock.now()
  const moments: Moment[] = []
  const coverage = makeCoverageCount()
  const meters = new Map<string, Meter>()
  let requests = 0
  let violation: Violation | undefined

  const expect = (actor: Actor, limitedTarget: LimitedTarget): Expected => {
    for (const limit of limitedTarget.limits) {
      if (actor.isDeleted && limit.stage !== 'org-limits') break
      const name = `${limit.counter.replace('{key}', `key ${actor.name}`)} ${limit.kind}`
      let meter = meters.get(name)
      if (meter === undefined) {
        meter = makeMeter(limit.kind, parts.settings.limits.rollingOneLess)
        meters.set(name, meter)
      }
      const said = meter.ask(clock.now(), limit.amount)
      coverage.add(limit, said.allowed, said.used)
      if (!said.allowed) return { rejectedBy: limit, used: said.used }
    }
    return actor.isDeleted ? { rejectedBy: 'no such key', used: 0 } : { rejectedBy: undefined, used: 0 }
  }

  /** Sends `count` requests concurrently; returns the expected result of the last one. */
  const send = async (actor: Actor, limitedTarget: LimitedTarget, count: number): Promise<Expected> => {
    const guaranteed = Array.from({ length: count }, () => expect(actor, limitedTarget))
    const request = requestFor(limitedTarget.target, actor.credential)
    const verdicts = inOrderOf(guaranteed, await sandbox.ask(guaranteed.map(() => request)), limitedTarget)
    requests += count
    const at = clock.now() - start
    for (const [i, verdict] of verdicts.entries()) {
      const expected = guaranteed[i] as Expected
      const right = isRight(expected, verdict, limitedTarget)
      const moment: Moment = { kind: 'request', at, key: actor.name, limitedTarget, verdict, expected, right }
      moments.push(moment)
      if (right) continue
      violation = violationOf(moment, moments, actor.keyKind.plan)
      break
    }
    return guaranteed.at(-1) as Expected
  }

  const useUp = async (action: Action & { kind: 'use-up' }) => {
    const actor = actors[action.key] as Actor
    const limitedTarget = actor.keyKind.limitedTargets[action.limitedTarget] as LimitedTarget
    const limit = limitedTarget.limits[action.limit]
    if (limit === undefined) return
    if (wholeAmount(limit.amount).most > maxToExhaust) return
    for (let sent = 0; sent <= maxToExhaust && violation === undefined; sent += 1) {
      const { rejectedBy } = await send(actor, limitedTarget, 1)
      if (rejectedBy === 'no such key' || rejectedBy === limit) return
      if (rejectedBy !== undefined) clock.advance(wholeAmount(rejectedBy.amount).windowMs)
    }
  }

  const happen = async ({ kind, key }: Action & { kind: 'reload' | 'rewrite' | 'update' | 'delete' }) => {
    const actor = actors[key] as Actor
    const { plan } = actor.keyKind
    if (kind === 'reload') await gateway.reload()
    else if (plan === undefined || actor.credential === undefined || actor.isDeleted) return
    else if (kind === 'delete') {
      actor.isDeleted = await gateway.keys.remove(actor.credential.key, orgOf(plan.session.orgId))
    } else {
      if (kind === 'update' && !mayReset(actor, sandbox)) return
      const { password } = actor.credential
      const document = password === undefined ? plan.document : { ...plan.document, basic_auth_data: { password } }
      const lookup = { ...orgOf(plan.session.orgId), keepCounters: kind === 'rewrite' }
      await gateway.keys.update(actor.credential.key, document, lookup)
      if (kind === 'update') openAnew(actor, meters, clock.now())
    }
    moments.push({ kind, at: clock.now() - start, key: actor.name })
  }

  for (const action of actionsOf(drawn, keys, start)) {
    if (violation !== undefined) break
    if (action.kind === 'use-up') await useUp(action)
    else if (action.kind === 'send') {
      const { afterMs } = action
      clock.moveTo(clock.now() + afterMs)
      if (afterMs < 0) moments.push({ kind: 'clock', at: clock.now() - start, key: '', byMs: afterMs })
      const actor = actors[action.key] as Actor
      const limitedTarget = actor.keyKind.limitedTargets[action.limitedTarget] as LimitedTarget
      await send(actor, limitedTarget, action.count)
    } else await happen(action)
  }
  return { requests, moments, violation, coverage: coverage.byWords }
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
function openAnew(actor: Actor, meters: ReadonlyMap<string, Meter>, now: number): void {
  const second = Math.floor(now / 1000)
  const isLater = second !== actor.writtenAt
  actor.writtenAt = second
  for (const [name, meter] of meters) {
    if (!name.startsWith(`key ${actor.name} `)) continue
    if (name.endsWith(' quota') || (name.endsWith(' local') && isLater)) meter.forget()
  }
}
