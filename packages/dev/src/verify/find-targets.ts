/** Finds the requests of an API that reach its upstream, by inspecting sample requests without counting them. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { StageName } from '@turnpike/core/pipeline'
import type { Inspection, Sandbox } from './gateway-sandbox.ts'
import type { KeyLimits } from './limits-of-key.ts'
import type { RequestLimit } from './limits-of-request.ts'
import { type Credential, openVersions, requestFor, type Target, targetsOf } from './possible-requests.ts'

/** A target that the gateway allows, with the limits that apply to its requests. */
export interface LimitedTarget {
  readonly target: Target
  readonly limits: readonly RequestLimit[]
}

export interface FoundTargets {
  readonly targets: readonly LimitedTarget[]
  /** The reason why no trace can test a limit here; `undefined` if one can. */
  readonly why: string | undefined
}

export interface Caller {
  /** What the caller may do on this API; `undefined` without a key. */
  readonly limits: KeyLimits | undefined
  readonly credential: Credential | undefined
  limitsOn(target: Target): readonly RequestLimit[]
}

export async function findTargets(sandbox: Sandbox, api: ApiDefinition, caller: Caller): Promise<FoundTargets> {
  const versions = openVersions(api, caller.limits)
  if (versions.length === 0) return { targets: [], why: 'it opens no version that is served' }
  const wanted = versions.flatMap((version) => targetsOf(api, version, caller.limits))
  if (wanted.length === 0) return { targets: [], why: 'ignored paths, mocks or rewrites take every sample request' }
  const targets: LimitedTarget[] = []
  let rejection: string | undefined
  for (const target of wanted) {
    const inspection = await sandbox.inspect(requestFor(target, caller.credential))
    const obstacle = obstacleOf(inspection, target)
    if (obstacle === undefined) targets.push({ target, limits: caller.limitsOn(target) })
    else rejection ??= `${target.method} ${target.path} ${obstacle}`
  }
  if (targets.length === 0) return { targets, why: rejection }
  return { targets, why: targets.some(({ limits }) => limits.length > 0) ? undefined : 'no limit applies to it' }
}

function obstacleOf({ apiId, rejected, stages, stage, status }: Inspection, { api }: Target): string | undefined {
  if (apiId !== api.id) return apiId === undefined ? 'reaches no API' : `goes to "${apiId}"`
  if (rejected) return `is rejected by the stage ${stage} (${status})`
  return stages.includes('forward' satisfies StageName)
    ? undefined
    : `gets its response from the stage ${stage}, before the upstream`
}
