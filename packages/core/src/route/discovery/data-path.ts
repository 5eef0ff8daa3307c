/**
 * Data paths of service discovery: names joined by dots, where a number selects an entry of a list and `~1` is a dot
 * inside a name (docs/reference/service-discovery.md#data-paths).
 */
import { isJson } from '../../lib/json.ts'

export type DataPath = readonly string[]

/** `undefined` for the empty text, which leads nowhere. */
export function parseDataPath(text: string): DataPath | undefined {
  return text === '' ? undefined : text.split('.').map((name) => name.replaceAll('~1', '.'))
}

/** Returns the value at the path; `undefined` if a step of the path does not exist. */
export function readDataPath(value: unknown, path: DataPath | undefined): unknown {
  if (path === undefined) return undefined
  let at = value
  for (const name of path) {
    if (Array.isArray(at)) at = /^\d+$/.test(name) ? at[Number(name)] : undefined
    else at = isJson(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}
