/**
 * Tags of records: whose request it was, in the order that readers expect. Source: spec/config-and-ops.md 4, "Tags".
 */
import { type HeaderPairs, headersOf } from '../../http/headers.ts'
import type { Session } from '../../ports/session.ts'
import { policyIdsOf } from '../../session/policies/policies-of-session.ts'

/** Of a session, which it has on every API: policies, developer, its own. */
export function sessionTags(session: Session, vendor: string): readonly string[] {
  const tags = policyIdsOf(session).map((id) => `pol-${id}`)
  const developer = session.metaData?.[`${vendor}_developer_id`]
  if (typeof developer === 'string' && developer !== '') tags.push(`dev-${developer}`)
  if (session.tags !== null) tags.push(...session.tags)
  return tags
}

/** The name by which people know the key: its alias, else the developer it was given to. */
export function aliasOf(session: Session, vendor: string): string {
  const email = session.metaData?.[`${vendor}_developer_email`]
  return session.alias !== '' || typeof email !== 'string' ? session.alias : email
}

/** Of the headers that an API or the gateway names; a header that came twice gives two. */
export function headerTags(headers: HeaderPairs, names: readonly string[]): string[] {
  return names.flatMap((name) => headersOf(headers, name).map((value) => `${name}-${value}`))
}

/** The last ones: key, organisation, API. */
export function ownTags(apiKey: string, orgId: string, apiId: string): string[] {
  const tags = apiKey === '' ? [] : [`key-${apiKey}`]
  if (orgId !== '') tags.push(`org-${orgId}`)
  tags.push(`api-${apiId}`)
  return tags
}
