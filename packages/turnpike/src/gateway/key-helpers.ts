/** Keys and organisations for programs in the same process: adapts core's registry to documents. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Session } from '@turnpike/core/ports'
import type { KeyRegistry, KeyRejection, OrgSessions, WrittenKey } from '@turnpike/core/session'
import { findKeyProblems, formatKeyProblem, type KeyApi, type KeyFacts } from '../keys/find-key-problems.ts'
import { fromSession, toKnownSession } from './convert-documents.ts'
import type { Components, CreatedEngine } from './create-engine.ts'
import { type CreatedKey, type KeyHelpers, KeyRejected, type OrganisationHelpers } from './gateway.ts'

type ServedParts = Pick<Components & CreatedEngine, 'engine' | 'settings' | 'definitions'>

export function makeKeyHelpers(registry: KeyRegistry, served: ServedParts): KeyHelpers {
  const facts = keyFactsOf(served)
  const rejectUseless = (id: string | undefined, session: Session) => {
    const problem = findKeyProblems(id, session, facts())[0]
    if (problem !== undefined) throw new KeyRejected(problem.kind, formatKeyProblem(problem))
  }
  const address = (name: string, lookup: { readonly orgId?: string } = {}) => ({ name, ...lookup })
  return {
    async create(session, { id } = {}) {
      const given = toKnownSession(session)
      rejectUseless(id, given)
      return toCreated(await (id === undefined ? registry.create(given) : registry.put(id, given)))
    },
    async get(key, lookup) {
      const session = await registry.read(address(key, lookup))
      return session && fromSession(session)
    },
    async update(key, session, { keepCounters = false, ...lookup } = {}) {
      const given = toKnownSession(session)
      // The name exists already, so only the session is checked.
      rejectUseless(undefined, given)
      return toCreated(await registry.replace(address(key, lookup), given, { suppressReset: keepCounters }))
    },
    remove: async (key, lookup) => (await registry.remove(address(key, lookup))).kind === 'removed',
    list: (filter) => registry.list(filter === undefined ? {} : { prefix: filter }),
  }
}

export function makeOrganisationHelpers(orgs: OrgSessions): OrganisationHelpers {
  return {
    async get(orgId) {
      const session = await orgs.read(orgId)
      return session && fromSession(session)
    },
    put: async (orgId, session) => orgs.put(orgId, toKnownSession(session), false),
    remove: (orgId) => orgs.remove(orgId),
  }
}

function toCreated(written: WrittenKey | KeyRejection): CreatedKey {
  if (written.kind === 'written') return { key: written.keyName, storedName: written.storedName }
  throw new KeyRejected(written.kind, reasonOf(written))
}

function reasonOf(rejection: KeyRejection): string {
  switch (rejection.kind) {
    case 'no-rights':
      return 'the key has no access to any API: set access_rights, or apply_policies with policies that have access_rights'
    case 'policies':
      return `its policies cannot be applied: ${rejection.reason}`
    case 'unknown-key':
      return 'the key does not exist'
    case 'certificate-taken':
      return 'a key with this certificate already exists'
    default:
      return rejection.message
  }
}

/** What the check of new keys needs to know of the gateway. The index of APIs is rebuilt after a reload only. */
function keyFactsOf({ engine, settings, definitions }: ServedParts): () => KeyFacts {
  let indexed: readonly ApiDefinition[] | undefined
  let apis: ReadonlyMap<string, KeyApi> = new Map()
  return () => {
    const current = definitions()
    if (current !== indexed) {
      indexed = current
      apis = new Map(current.map((api) => [api.id, keyApiOf(api)]))
    }
    return { settings: settings.keys, policies: engine.policies(), apis, allowsUnknownApis: true }
  }
}

function keyApiOf({ orgId, versioning, versions }: ApiDefinition): KeyApi {
  return { orgId, versions: versioning.kind === 'named' ? [...versions.keys()] : undefined }
}
