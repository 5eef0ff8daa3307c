/** Reads the targets in the response of a discovery service (docs/reference/service-discovery.md#entries). */
import type { ClassicDefinition } from '../../definition/classic.ts'
import { isJson } from '../../lib/json.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { type DataPath, parseDataPath, readDataPath } from './data-path.ts'

export type DiscoverySettings = ClassicDefinition['proxy']['serviceDiscovery']

/**
 * - `targets`: at least one target. An empty text is an entry without a usable target, which keeps its position.
 * - `none`: a list without entries, where a list of targets is expected.
 * - `unusable`: the response holds no target, so requests fail until the service is queried again.
 * - `unavailable`: `target_url` is used.
 */
export type Discovered =
  | { readonly kind: 'targets'; readonly targets: readonly string[] }
  | { readonly kind: 'none' | 'unusable' | 'unavailable' }

/** Builds the reader of responses. `protocol` is the scheme of targets without one. */
export function makeReadTargets(settings: DiscoverySettings, protocol: string): (body: Uint8Array) => Discovered {
  const places: Places = {
    parent: parseDataPath(settings.parentDataPath),
    host: parseDataPath(settings.dataPath),
    port: parseDataPath(settings.portDataPath),
  }
  const targetOf = (entry: unknown) => readTarget(entry, places, settings.targetPath, protocol)
  const listOf = (entries: readonly unknown[]): Discovered =>
    entries.length === 0 ? { kind: 'none' } : { kind: 'targets', targets: entries.map(targetOf) }

  return (body) => {
    const { value, problem } = parse(body)
    if (settings.endpointReturnsList) {
      if (!Array.isArray(value)) return { kind: 'unavailable' }
      const used: unknown[] = settings.useTargetList ? value : value.slice(0, 1)
      if (used.length === 0) return { kind: settings.useTargetList ? 'none' : 'unusable' }
      return listOf(settings.useNestedQuery ? used.map((entry) => nestedIn(entry, places.parent)) : used)
    }
    if (settings.useTargetList) {
      const parent = settings.useNestedQuery ? nestedIn(value, places.parent) : readDataPath(value, places.parent)
      return listOf(entriesOf(parent))
    }
    if (problem !== undefined) return { kind: 'unusable' }
    return listOf([settings.useNestedQuery ? nestedIn(value, places.parent) : value])
  }
}

interface Places {
  readonly parent: DataPath | undefined
  readonly host: DataPath | undefined
  readonly port: DataPath | undefined
}

function parse(body: Uint8Array): { readonly value: unknown; readonly problem: string | undefined } {
  const read = readJson(body)
  return read.problem === undefined ? read : { value: undefined, problem: read.problem }
}

/** Parses the text at the path as JSON. */
function nestedIn(value: unknown, path: DataPath | undefined): unknown {
  const text = readDataPath(value, path)
  return typeof text === 'string' ? parse(utf8Bytes(text)).value : undefined
}

function entriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isJson(value) ? Object.values(value) : []
}

function readTarget(entry: unknown, { host, port }: Places, targetPath: string, protocol: string): string {
  const found = readDataPath(entry, host)
  if (typeof found !== 'string') return ''
  const portText = port === undefined ? '' : portOf(readDataPath(entry, port))
  if (portText === undefined) return ''
  const target = `${found}${portText}${slashBefore(targetPath)}${targetPath}`.trim()
  return target === '' || target.includes('://') ? target : `${protocol}://${target}`
}

/** A path that is written without its slash would become a part of the port. */
function slashBefore(targetPath: string): string {
  return /^[\w~%-]/.test(targetPath) ? '/' : ''
}

/** Returns the port with its colon; `undefined` if there is none. */
function portOf(value: unknown): string | undefined {
  const port: unknown = Array.isArray(value) ? value[0] : value
  return typeof port === 'string' || typeof port === 'number' ? `:${port}` : undefined
}
