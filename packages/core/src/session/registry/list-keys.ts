/** Lists stored names of keys. Source: docs/reference/key-management.md#list-keys. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Session } from '../../ports/session.ts'
import { orgOfKeyName } from '../names/key-name.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { KeyRegistryDependencies } from './key-registry-types.ts'

export interface KeyFilter {
  /** Prefix of the names, or of the organisation in base64 names. Ignored for hashes. Default: all names. */
  readonly prefix?: string
  /** Only keys with access to this API. */
  readonly apiId?: ApiDefinition['id']
}

/** The start of all base64 names of keys: `{"org":"`. */
const base64Start = 'eyJvcmciOi'
/** Sessions read before the loop yields to other work. */
const slice = 200

/** Returns stored names, sorted. They are hashes if keys are hashed. */
export async function listKeys(filter: KeyFilter, parts: KeyRegistryDependencies): Promise<string[]> {
  const names = await namesWith(parts.settings.keys.hashKeys ? '' : (filter.prefix ?? ''), parts)
  if (filter.apiId === undefined) return names
  const opening: string[] = []
  for (const [i, name] of names.entries()) {
    if (i % slice === slice - 1) await parts.clock.breathe()
    const stored = await parts.store.sessions.get(name)
    if (stored !== undefined && opens(stored.session, filter.apiId, parts)) opening.push(name)
  }
  return opening
}

async function namesWith(prefix: string, { store }: KeyRegistryDependencies): Promise<string[]> {
  const names = new Set(await store.sessions.list(prefix))
  if (prefix !== '' && !prefix.startsWith(base64Start)) {
    for (const name of await store.sessions.list(base64Start)) {
      if (orgOfKeyName(name).startsWith(prefix)) names.add(name)
    }
  }
  return [...names].sort()
}

function opens(stored: Session, apiId: string, parts: KeyRegistryDependencies): boolean {
  const { accessRights } = applyPolicies(stored, parts.policies()).session
  if (accessRights !== null && Object.hasOwn(accessRights, apiId)) return true
  return parts.settings.keys.allowMasterKeys && Object.keys(accessRights ?? {}).length === 0
}
