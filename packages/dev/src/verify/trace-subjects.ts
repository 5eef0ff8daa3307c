/** The subjects of traces: kinds of keys, each with the targets that it can request and the limits that apply there. */
import { findTargets, type LimitedTarget } from './find-targets.ts'
import type { Sandbox } from './gateway-sandbox.ts'
import type { KeyPlan } from './key-plan.ts'
import { limitsOfKey } from './limits-of-key.ts'
import { type GatewayFacts, limitsOfRequest } from './limits-of-request.ts'
import type { Credential } from './possible-requests.ts'
import { apisWithoutKeys, policiesWithoutKeys, type Untried, whyNoCaller, whyNoKey } from './why-not-tested.ts'

export interface KeyKind {
  /** `undefined` for callers without a key, on APIs that require none. */
  readonly plan: KeyPlan | undefined
  readonly limitedTargets: readonly LimitedTarget[]
}

/** What traces can test, and what they cannot test. */
export interface TraceSubjects {
  readonly keyKinds: readonly KeyKind[]
  readonly untried: readonly Untried[]
}

/** Maximum number of targets for one kind of key; more do not improve traces. */
const maxTargets = 8

/** Finds the targets of each kind of key and of callers without a key, and everything that no trace can test. */
export async function findTraceSubjects(
  sandbox: Sandbox,
  plans: readonly KeyPlan[],
  facts: GatewayFacts,
): Promise<TraceSubjects> {
  const apis = sandbox.gateway.apis()
  const subjects: TraceSubjects[] = []
  for (const [index, plan] of plans.entries()) subjects.push(await subjectsOfKey(sandbox, plan, `look-${index}`, facts))
  for (const api of apis.filter(({ authModes }) => authModes.length === 0)) {
    const limitsOn = (target: LimitedTarget['target']) => limitsOfRequest(target, undefined, undefined, facts)
    const why = whyNoCaller(api, facts)
    const found =
      why === undefined
        ? await findTargets(sandbox, api, { limits: undefined, credential: undefined, limitsOn })
        : { targets: [], why }
    const untried = found.why === undefined ? [] : [{ what: `"${api.id}" without a key`, why: found.why }]
    subjects.push({ keyKinds: kindsOf(undefined, found.targets), untried })
  }
  return {
    keyKinds: subjects.flatMap(({ keyKinds }) => keyKinds),
    untried: [
      ...subjects.flatMap(({ untried }) => untried),
      ...policiesWithoutKeys(sandbox.engine.policies(), plans),
      ...apisWithoutKeys(apis, plans),
    ],
  }
}

async function subjectsOfKey(sandbox: Sandbox, plan: KeyPlan, id: string, facts: GatewayFacts): Promise<TraceSubjects> {
  const credential = await makeKey(sandbox, plan, id)
  if ('problem' in credential) return { keyKinds: [], untried: [{ what: plan.words, why: credential.problem }] }
  const apis = new Map(sandbox.gateway.apis().map((api) => [api.id, api]))
  const all = limitsOfKey(plan)
  const targets: LimitedTarget[] = []
  const untried: Untried[] = all.size === 0 ? [{ what: plan.words, why: 'it opens no API' }] : []
  for (const [apiId, limits] of all) {
    const api = apis.get(apiId)
    const limitsOn = (target: LimitedTarget['target']) => limitsOfRequest(target, plan, all, facts)
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
