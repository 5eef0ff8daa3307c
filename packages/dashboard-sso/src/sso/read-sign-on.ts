/** Parses and checks the body of `POST /admin/sso`. Source: docs/reference/dashboard-sso.md#create-a-single-sign-on-token. */
import { parseJsonObject } from '@turnpike/core/lib'
import type { DashboardOptions } from '../dashboard-options.ts'
import type { Section } from '../http/cookie.ts'
import { findGroup, findOrganisation } from './people.ts'

/** A login that a token grants. */
export interface SignOn {
  readonly section: Section
  readonly orgId: string
  readonly emailAddress: string
  readonly displayName: string
  /** Groups of both fields, each once, in their order. */
  readonly groupIds: readonly string[]
  readonly onlyRegistered: boolean
  readonly notAllowed: boolean
  /** Set for sign-in links: the login must come from this machine. */
  readonly onlyLoopback?: true
}

export type ReadSignOn = { readonly value: SignOn } | { readonly problems: readonly string[] }

/** The address of users who have none: what the open identity broker sends. */
const addressOfNobody = 'ssoSession@ssoSession.com'
const maxAddressLength = 254
const maxQuotedLength = 64

/** Returns every rule that a payload breaks. `undefined` means that the body could not be parsed. */
export function readSignOn(text: string | undefined, options: DashboardOptions): ReadSignOn {
  const payload = text === undefined ? undefined : parsePayload(text)
  if (payload === undefined) return { problems: ['Malformed payload.'] }
  const { OrgID: orgId, ForSection: section, EmailAddress: address } = payload
  const groupIds = [...new Set([payload.GroupID, ...payload.GroupsIDs])].filter((id) => id !== '')
  const problems: string[] = []
  if (findOrganisation(options, orgId) === undefined) problems.push(`Org id not found (${quoted(orgId)}).`)
  if (!isSection(section)) problems.push(`Section not valid (${quoted(section)}).`)
  if (address !== '' && !isAddress(address)) problems.push(`Email address not valid (${quoted(address)}).`)
  for (const id of groupIds) {
    if (findGroup(options, orgId, id) === undefined) problems.push(`Group id not found (${quoted(id)}).`)
  }
  if (problems.length > 0 || !isSection(section)) return { problems }
  return {
    value: {
      section,
      orgId,
      emailAddress: address === '' ? addressOfNobody : address,
      displayName: payload.DisplayName,
      groupIds,
      onlyRegistered: payload.SSOOnlyForRegisteredUsers,
      notAllowed: payload.UserNotAllowed,
    },
  }
}

const textFields = { ForSection: '', OrgID: '', EmailAddress: '', DisplayName: '', GroupID: '' }
const switchFields = { SSOOnlyForRegisteredUsers: false, UserNotAllowed: false }

type Payload = typeof textFields & typeof switchFields & { GroupsIDs: readonly string[] }

/** Fields by their exact names, absent ones with their defaults; `undefined`: no object, or a field of a wrong type. */
function parsePayload(text: string): Payload | undefined {
  const given = parseJsonObject(text)
  if (given === undefined) return undefined
  const payload: Record<string, unknown> = { GroupsIDs: [] }
  for (const [name, byDefault] of Object.entries({ ...textFields, ...switchFields })) {
    const value = Object.hasOwn(given, name) ? given[name] : byDefault
    if (typeof value !== typeof byDefault) return undefined
    payload[name] = value
  }
  const groups = (Object.hasOwn(given, 'GroupsIDs') ? given['GroupsIDs'] : null) ?? []
  if (!Array.isArray(groups) || !groups.every((id) => typeof id === 'string')) return undefined
  payload['GroupsIDs'] = groups
  return payload as Payload
}

function isSection(text: string): text is Section {
  return text === 'dashboard' || text === 'portal'
}

function isAddress(text: string): boolean {
  return [...text].length <= maxAddressLength && /^\S+@\S+$/.test(text)
}

/** Cut for a message, without splitting a character. */
function quoted(text: string): string {
  return [...text].slice(0, maxQuotedLength).join('')
}
