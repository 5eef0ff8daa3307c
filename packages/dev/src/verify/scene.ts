/** The subjects of traces: kinds of keys, each with the targets that it can request and the limits that apply there. */

import type { Sandbox } from './gateway-sandbox.ts'
import type { KeyPlan } from './key-plan.ts'
import { type KeyLimits, limitsOfKey } from './limits-of-key.ts'
import { limitsOnWay, organisationOf, type WayFacts, type WayLimit } from './limits-on-way.ts'
import { type Credential, openVersions, requestFor, type Target, targetsOf, unaskable } from './possible-requests.ts'

/** A target that the gateway allows, with the limits that apply to its requests. */
export interface LimitedTarget {
  readonly target: Target
  readonly limits: readonly WayLimit[]
}

export interface KeyKind {
  /** `undefined` for callers without a key, on APIs that require none. */
  readonly plan: KeyPlan | undefined
  readonly limitedTargets: readonly LimitedTarget[]
}

/** A subject that no trace tests, with the reason. */
export interface Untried {
  readonly what: string
  readonly why: string
}

export interface Scenes {
  readonly keyKinds: readonly KeyKind[]
  readonly untried: readonly Untried[]
}

/** Maximum number of targets for one kind of key; more do not improve traces. */
const maxTargets = 8

/** Finds the targets of each kind of key by inspecting requests, without counting them. */
export async function findScenes(sandbox: Sandbox, plans: readonly KeyPlan[], facts: WayFacts): Promise<Scenes> {
  const keyKinds: KeyKind[] = []
  const untried: Untried[] = []
  const apis = new Map(sandbox.gateway.apis().map((api) => [api.id, api]))
  for (const plan of plans) {
    const credential = await makeKey(sandbox, plan, `look-${keyKinds.length}-${untried.length}`)
    if ('problem' in credential) {
      untried.push({ what: plan.words, why: credential.problem })
      continue
    }
    const limitedTargets: LimitedTarget[] = []
    const all = limitsOfKey(plan)
    for (const [apiId, limits] of all) {
      const api = apis.get(apiId)
      if (api === undefined || api.authModes.length === 0) continue
      const why =
        unaskable(api) ?? besides(plan, api.orgId, facts) ?? limits.untried ?? withoutPassword(plan, api.authModes)
      if (why !== undefined) untried.push({ what: `${plan.words} on "${apiId}"`, why })
      else limitedTargets.push(...(await aimsOf(sandbox, plan, limits, all, credential, facts)))
    }
    if (limitedTargets.some(({ limits }) => limits.length > 0))
      keyKinds.push({ plan, limitedTargets: limitedTargets.slice(0, maxTargets) })
  }
  for (const api of apis.values()) {
    if (api.authModes.length > 0 || unaskable(api) !== undefined || facts.settings.limits.orgOffThread) continue
    const limitedTargets = await keylessTargets(sandbox, api.id, facts)
    if (limitedTargets.some(({ limits }) => limits.length > 0))
      keyKinds.push({ plan: undefined, limitedTargets: limitedTargets.slice(0, maxTargets) })
  }
  return { keyKinds, untried }
}

/** Returns the reason why decisions depend on more than requests; `undefined` if they do not. */
function besides({ session, policies }: KeyPlan, orgId: string, facts: WayFacts): string | undefined {
  const { limits, lifetimes } = facts.settings
  const ends =
    session.expires > 0 || session.sessionLifetime > 0 || policies.some(({ keyExpiresIn }) => keyExpiresIn > 0)
  if (ends || lifetimes.forceGlobal) return 'its keys end after a time'
  if (limits.smoothing) return 'rates are smoothed'
  const isBeside = limits.orgOffThread && organisationOf(orgId, facts) !== undefined
  return isBeside ? 'its organisation is checked beside the request' : undefined
}

/** Creates a key of this kind; returns the reason if the gateway rejects it. */
export async function makeKey(
  sandbox: Sandbox,
  plan: KeyPlan,
  id: string,
): Promise<Credential | { readonly problem: string }> {
  try {
    const { key } = await sandbox.gateway.keys.create(plan.document, { id })
    return { key: passwordOf(plan) === undefined ? key : id, password: passwordOf(plan) }
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

function passwordOf({ document }: KeyPlan): string | undefined {
  const data = document.basic_auth_data as { readonly password?: string } | undefined
  return data?.password
}

function withoutPassword(plan: KeyPlan, modes: readonly string[]): string | undefined {
  return modes.includes('basic') && passwordOf(plan) === undefined ? 'a password is needed there' : undefined
}

async function aimsOf(
  sandbox: Sandbox,
  plan: KeyPlan,
  keyLimits: KeyLimits,
  all: ReadonlyMap<string, KeyLimits>,
  credential: Credential,
  facts: WayFacts,
): Promise<LimitedTarget[]> {
  const api = sandbox.gateway.apis().find(({ id }) => id === keyLimits.apiId)
  if (api === undefined) return []
  const limitedTargets: LimitedTarget[] = []
  for (const version of openVersions(api, keyLimits)) {
    for (const target of targetsOf(api, version, keyLimits)) {
      if (!(await passes(sandbox, target, credential))) continue
      limitedTargets.push({ target, limits: limitsOnWay(target, plan, all, facts) })
    }
  }
  return limitedTargets
}

async function keylessTargets(sandbox: Sandbox, apiId: string, facts: WayFacts): Promise<LimitedTarget[]> {
  const api = sandbox.gateway.apis().find(({ id }) => id === apiId)
  const limitedTargets: LimitedTarget[] = []
  for (const version of api?.versions.values() ?? []) {
    for (const target of api === undefined ? [] : targetsOf(api, version, undefined)) {
      if (await passes(sandbox, target, undefined))
        limitedTargets.push({ target, limits: limitsOnWay(target, undefined, undefined, facts) })
    }
  }
  return limitedTargets
}

async function passes(sandbox: Sandbox, target: Target, credential: Credential | undefined): Promise<boolean> {
  const look = await sandbox.look(requestFor(target, credential))
  return look.apiId === target.api.id && !look.refused && look.stages.includes('forward')
}
