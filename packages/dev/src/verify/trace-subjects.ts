/** The subjects of traces: kinds of keys, each with the targets that it can request and the limits that apply there. */
import { findTargets, type LimitedTarget } from './find-targets.ts'
import type { Sandbox } from './gateway-sandbox.ts'
import type { KeyPlan } from './key-plan.ts'
import { limitsOfKey } from './limits-of-key.ts'
import { limitsOnWay, type WayFacts } from './limits-on-way.ts'
import type { Credential } from './possible-requests.ts'
import { apisWithoutKeys, policiesWithoutKeys, type Untried, whyNoCaller, whyNoKey } from './untried.ts'

export interface KeyKind {
  /** `undefined` for callers without a key, on APIs that require none. */
  readonly plan: KeyPlan | undefined
  readonly limitedTargets: readonly LimitedTarget[]
}

export interface Scenes {
  readonly keyKinds: readonly KeyKind[]
  readonly untried: readonly Untried[]
}

/** Maximum number of targets for one kind of key; more do not improve traces. */
const maxTargets = 8

/** Finds the targets of each kind of key and of callers without a key, and everything that no trace can test. */
export async function findScenes(sandbox: Sandbox, plans: readonly KeyPlan[], facts: WayFacts): Promise<Scenes> {
  const apis = sandbox.gateway.apis()
  const scenes: Scenes[] = []
  for (const [index, plan] of plans.entries()) scenes.push(await sceneOfKey(sandbox, plan, `look-${index}`, facts))
  for (const api of apis.filter(({ authModes }) => authModes.length === 0)) {
    const limitsOn = (target: LimitedTarget['target']) => limitsOnWay(target, undefined, undefined, facts)
    const why = whyNoCaller(api, facts)
    const found =
      why === undefined
        ? await findTargets(sandbox, api, { limits: undefined, credential: undefined, limitsOn })
        : { targets: [], why }
    const untried = found.why === undefined ? [] : [{ what: `"${api.id}" without a key`, why: found.why }]
    scenes.push({ keyKinds: kindsOf(undefined, found.targets), untried })
  }
  return {
    keyKinds: scenes.flatMap(({ keyKinds }) => keyKinds),
    untried: [
      ...scenes.flatMap(({ untried }) => untried),
      ...policiesWithoutKeys(sandbox.engine.policies(), plans),
      ...apisWithoutKeys(apis, plans),
    ],
  }
}

async function sceneOfKey(sandbox: Sandbox, plan: KeyPlan, id: string, facts: WayFacts): Promise<Scenes> {
  const credential = await makeKey(sandbox, plan, id)
  if ('problem' in credential) return { keyKinds: [], untried: [{ what: plan.words, why: credential.problem }] }
  const apis = new Map(sandbox.gateway.apis().map((api) => [api.id, api]))
  const all = limitsOfKey(plan)
  const targets: LimitedTarget[] = []
  const untried: Untried[] = all.size === 0 ? [{ what: plan.words, why: 'it opens no API' }] : []
  for (const [apiId, limits] of all) {
    const api = apis.get(apiId)
    const limitsOn = (target: LimitedTarget['target']) => limitsOnWay(target, plan, all, facts)
    const why =
      api === undefined
        ? 'the API is not served'
        : (whyNoKey(api, plan, facts) ?? limits.untried ?? withoutPassword(plan, api.authModes))
    const found =
      api === undefined || why !== undefined
        ? { targets: [], why }
        : await findTargets(sandbox, api, { limits, credential, limitsOn })
    targets.push(...found.targets)
    if (found.why !== undefined) untried.push({ what: `${plan.words} on "${apiId}"`, why: found.why })
  }
  return { keyKinds: kindsOf(plan, targets), untried }
}

function kindsOf(plan: KeyPlan | undefined, targets: readonly LimitedTarget[]): KeyKind[] {
  if (!targets.some(({ limits }) => limits.length > 0)) return []
  return [{ plan, limitedTargets: targets.slice(0, maxTargets) }]
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
