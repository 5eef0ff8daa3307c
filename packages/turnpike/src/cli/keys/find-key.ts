/** Finds the key that a command names: by its key or hash, by a name of an organisation's own, or by its alias. */
import type { Client, Session } from '../../client/index.ts'
import { lookupOf, type NamedKeyOptions, type Target } from './call-gateway.ts'
import { readSessions } from './list-keys.ts'

export interface FoundKey {
  readonly session: Session
  /** How calls of the management API name the key. */
  readonly address: { readonly name: string; readonly org_id?: string; readonly hashed?: string }
}

/** Returns the key; prints why there is none, or which keys have the name, and returns `undefined`. */
export async function findKey(
  target: Target,
  name: string,
  options: NamedKeyOptions,
  err: (text: string) => void,
): Promise<FoundKey | undefined> {
  const { client } = target
  const address = { name, ...lookupOf(options) }
  const response = await client.keys.getKey(address)
  if (response.ok) return { session: response.value, address }
  if (response.status !== 404 || options.hashed === true) {
    target.report(response)
    return undefined
  }
  const found = await keysNamed(client, name, options.org)
  if (found.length === 1) return found[0]
  if (found.length === 0) target.report(response)
  else {
    const keys = found.map(
      ({ address: { name: key }, session: { org_id = '' } }) => `${key} (organisation "${org_id}")`,
    )
    err(`several keys have the name or alias "${name}": ${keys.join(', ')} (name one of these, or --org)`)
  }
  return undefined
}

/** Names of its own that an organisation has given, otherwise aliases. */
async function keysNamed(client: Client, name: string, org: string | undefined): Promise<FoundKey[]> {
  const named: FoundKey[] = []
  for (const org_id of org === undefined ? await organisations(client) : []) {
    const response = await client.keys.getKey({ name, org_id })
    if (response.ok) named.push({ session: response.value, address: { name, org_id } })
  }
  if (named.length > 0) return named
  const listed = await client.keys.listKeys({})
  if (!listed.ok) return []
  const { sessions, isHashed } = await readSessions(client, listed.value.keys)
  return [...sessions]
    .filter(([, { alias, org_id }]) => alias === name && (org === undefined || org_id === org))
    .map(([key, session]) => ({ session, address: isHashed ? { name: key, hashed: 'true' } : { name: key } }))
}

/** Organisations that have an API or a policy. */
async function organisations(client: Client): Promise<string[]> {
  const [apis, policies] = [await client.apis.listApis({ include_types: 'mcp' }), await client.policies.listPolicies()]
  const ids = [...(apis.ok ? apis.value : []), ...(policies.ok ? policies.value : [])].map(({ org_id = '' }) => org_id)
  return [...new Set(ids)].filter((id) => id !== '')
}
