/** Policies and APIs of a running gateway, as far as one key needs them, for the check of the key. */

import { applyPolicies, makePolicyBook, type PolicyBook } from '@turnpike/core/session'
import type { ApiDefinition, Client, Failed, Session } from '../../client/index.ts'
import { toPolicy, toSession } from '../../gateway/convert-documents.ts'
import type { KeyApi, KeyFacts } from '../../keys/find-key-problems.ts'
import type { Target } from './call-gateway.ts'

export interface GatewayFacts extends KeyFacts {
  /** Definitions of the APIs that the key names or gets from its policies. */
  readonly definitions: ReadonlyMap<string, ApiDefinition>
}

/** Reads the policies in force. */
export async function readPolicies(client: Client): Promise<PolicyBook | Failed> {
  const response = await client.policies.listPolicies()
  if (!response.ok) return response
  return makePolicyBook(response.value.map((policy) => toPolicy(policy)))
}

/** Reads the definitions that the session needs. All names of APIs are read only if one is unknown, for suggestions. */
export async function readFacts(
  { client, settings }: Target,
  session: Session,
  policies: PolicyBook,
): Promise<GatewayFacts | Failed> {
  const definitions = new Map<string, ApiDefinition>()
  let allKnown = true
  for (const id of apisOf(session, policies)) {
    const response = await client.apis.getApi({ id })
    if (response.ok) definitions.set(id, response.value)
    else if (response.status === 404) allKnown = false
    else return response
  }
  const apis = new Map([...definitions].map(([id, definition]) => [id, keyApiOf(definition)]))
  if (!allKnown) {
    const response = await client.apis.listApis({ include_types: 'mcp' })
    if (!response.ok) return response
    for (const definition of response.value) apis.set(definition.api_id ?? '', keyApiOf(definition))
  }
  return { settings, policies, apis, definitions, allowsUnknownApis: false }
}

function apisOf(session: Session, policies: PolicyBook): string[] {
  const read = toSession(session)
  const applied = applyPolicies(read, policies).session
  return [...new Set([...Object.keys(read.accessRights ?? {}), ...Object.keys(applied.accessRights ?? {})])]
}

function keyApiOf({ org_id, version_data }: ApiDefinition): KeyApi {
  const named = version_data?.not_versioned === true ? undefined : Object.keys(version_data?.versions ?? {})
  return { orgId: org_id ?? '', versions: named === undefined || named.length === 0 ? undefined : named }
}
