/** Keys as documents that the page edits. The page names them by hash and never gets the key of an existing one. */
import { type Json, listOf, objectOf, textOf } from '@turnpike/core/lib'
import { sessionShape } from '@turnpike/core/ports'
import type { DashboardServices } from '../dashboard-services.ts'
import type { KeyListCache } from '../read/key-list-cache.ts'
import type { Viewer } from '../sso/viewer.ts'
import { type EditedResource, foreignOrg, withOrgId } from './resource.ts'

export function makeEditedKeys(
  { gateway, store, settings }: Pick<DashboardServices, 'gateway' | 'store' | 'settings'>,
  keyLists: KeyListCache,
): EditedResource {
  const { hashKeys } = settings.keys

  const findProblem = (viewer: Viewer, document: Json): string | undefined => {
    const policies = listOf(document['apply_policies'])
    const apis = Object.keys(objectOf(document['access_rights']))
    if (policies.length === 0 && apis.length === 0 && textOf(document['apply_policy_id']) === '') {
      return 'A key needs at least one API in access_rights or one policy in apply_policies'
    }
    for (const id of policies) {
      const policy = typeof id === 'string' ? gateway.policies().get(id) : undefined
      if (policy === undefined || !viewer.sees(policy.orgId)) return `apply_policies: there is no policy ${String(id)}`
    }
    for (const id of apis) {
      if (!seesApi(gateway, viewer, id)) return `access_rights: there is no API ${id}`
    }
    return foreignOrg(viewer, textOf(document['org_id']))
  }

  return {
    area: 'keys',
    noun: 'key',
    needsReload: false,
    changed: () => keyLists.forget(),
    async find(viewer, hash) {
      const key = await keyLists.find(viewer, hash)
      const stored = key && (await store.sessions.get(key.storedName))
      if (key === undefined || stored === undefined) return undefined
      const document = sessionShape.write(stored.session) as Json
      const path = `/keys/${encodeURIComponent(key.storedName)}?suppress_reset=1${hashKeys ? '&hashed=1' : ''}`
      return { document: withoutPassword(document), path }
    },
    createPath: () => '/keys/create',
    findConflict: () => undefined,
    withOrg: withOrgId,
    findProblem,
  }
}

function seesApi(gateway: DashboardServices['gateway'], viewer: Viewer, id: string): boolean {
  const api = gateway.definitions().find((one) => one.id === id)
  return api !== undefined && viewer.sees(api.orgId)
}

/** An update without a password keeps the stored one, which is a hash and must not be hashed again. */
function withoutPassword(document: Json): Json {
  const data = objectOf(document['basic_auth_data'])
  if (textOf(data['password']) === '') return document
  const { password: _password, ...rest } = data
  return { ...document, basic_auth_data: rest }
}
