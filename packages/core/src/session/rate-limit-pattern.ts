/**
 * `meta_data.rate_limit_pattern`: a name that keys share for their counters. Source: spec/sessions-and-limits.md 5.2.
 * Only the session is known when counters are named, so `$svc_meta.` variables are filled in and those of a request
 * (`$svc_context.`) are empty.
 */
import type { Session } from './session.ts'

/** What takes the key's place in the names of its counters; `undefined` where the key stands for itself. */
export function sharedCounterKey(session: Session, vendor: string): string | undefined {
  const pattern = session.metaData?.rate_limit_pattern
  if (typeof pattern !== 'string' || pattern === '') return undefined
  const variable = new RegExp(`\\$${vendor}_(meta|context)\\.([A-Za-z0-9_\\-.]+)`, 'g')
  const resolved = pattern.replace(variable, (_, kind: string, name: string) =>
    kind === 'meta' ? textOf(session.metaData, name) : '',
  )
  return resolved === '' ? undefined : resolved
}

function textOf(metaData: Session['metaData'], name: string): string {
  if (metaData === null || !Object.hasOwn(metaData, name)) return ''
  const value = metaData[name]
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
