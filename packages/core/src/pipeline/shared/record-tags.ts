/** Tags of analytics records, in the order that readers expect (docs/reference/analytics.md#record-tags). */
import { type HeaderPairs, headersOf } from '../../http/headers.ts'
import type { Session } from '../../ports/session.ts'
import { policyIdsOf } from '../../session/policies/policies-of-session.ts'

/** Tags of a session that are the same on every API: policies, developer, its own tags. */
export function sessionTags(session: Session, vendor: string): readonly string[] {
  const tags = policyIdsOf(session).map((id) => `pol-${id}`)
  const developer = session.metaData?.[`${vendor}_developer_id`]
  if (typeof developer === 'string' && developer !== '') tags.push(`dev-${developer}`)
  if (session.tags !== null) tags.push(...session.tags)
  return tags
}

/** The alias of the key, otherwise the e-mail address of its developer. */
export function aliasOf(session: Session, vendor: string): string {
  const email = session.metaData?.[`${vendor}_developer_email`]
  return session.alias !== '' || typeof email !== 'string' ? session.alias : email
}

/** Tags from the headers that the API or the gateway configures; each header line gives one tag. */
export function headerTags(headers: HeaderPairs, names: readonly string[]): string[] {
  return names.flatMap((name) => headersOf(headers, name).map((value) => `${name}-${value}`))
}

/** The last tags: key, organisation, API. */
export function ownTags(apiKey: string, orgId: string, apiId: string): string[] {
  const tags = apiKey === '' ? [] : [`key-${apiKey}`]
  if (orgId !== '') tags.push(`org-${orgId}`)
  tags.push(`api-${apiId}`)
  return tags
}
