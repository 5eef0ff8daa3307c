/** The version of a document: a digest of its content, without what requests change. */
import { isJson } from '@turnpike/core/lib'
import { sha256Base64Url } from '../http/digests.ts'

/** Counters of a session, which change while nobody edits it. */
const counters = new Set(['quota_remaining', 'quota_renews'])

export function versionOf(document: unknown): string {
  const text = JSON.stringify(document, (name, value: unknown) => (counters.has(name) ? undefined : sorted(value)))
  return sha256Base64Url(text).slice(0, 22)
}

/** Equal documents have equal versions; the order of their members does not matter. */
function sorted(value: unknown): unknown {
  if (!isJson(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
