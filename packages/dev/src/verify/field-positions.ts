/**
 * Finds the field of a file that causes a warning or sets a limit: file, line and column. Checks name the place by the
 * API, policy or key and the path of the field.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiDefinition, isSidecarName, parseJson } from '@turnpike/core/definition'
import { type JsonPath, locateJson } from '@turnpike/core/lib'
import type { LoadedConfig } from 'turnpike/embedding'

/** A field of an API definition, of a policy, or of a key or organisation of the seed file. */
export interface Place {
  readonly of: 'api' | 'policy' | 'key' | 'organisation'
  readonly id: string
  /** Names of the file format. If the field does not exist, its nearest existing parent is meant. */
  readonly path: JsonPath
}

export interface FilePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface Locator {
  /** Returns the configuration file if no file contains the API, policy or key; `undefined` without one. */
  locate(place: Place): FilePosition | undefined
}

interface Text {
  readonly file: string
  readonly text: string
  /** Path of the API, policy or key in its file. */
  readonly above: JsonPath
}

/** `apis` are the definitions as served. */
export function makeLocator({ config, file: configFile }: LoadedConfig, apis: readonly ApiDefinition[]): Locator {
  const policies = policyTexts(config.policies)
  const seed = textOf(config.seed)
  const find = ({ of, id }: Place): Text | undefined => {
    if (of === 'policy') return policies.get(id)
    if (of === 'api') return textOfApi(config.appPath, apis.find((api) => api.id === id)?.source, id)
    return seed && { ...seed, above: [of === 'key' ? 'keys' : 'organisations', id] }
  }
  return {
    locate(place) {
      const found = find(place)
      if (found !== undefined) return positionOf(found, [...found.above, ...place.path])
      const other = textOf(configFile ?? '')
      return other && positionOf(other, [])
    },
  }
}

function positionOf({ file, text }: Text, path: JsonPath): FilePosition {
  return { file, ...locateJson(text, path) }
}

function textOf(file: string): Text | undefined {
  try {
    return file === '' ? undefined : { file, text: readFileSync(file, 'utf8'), above: [] }
  } catch {
    return undefined
  }
}

/** A definition that is not served has no source; it is found by its id. */
function textOfApi(folder: string, source: string | undefined, id: string): Text | undefined {
  if (source !== undefined) return textOf(join(folder, source))
  return jsonFiles(folder).find(({ file, text }) => !isSidecarName(file) && membersOf(text)['api_id'] === id)
}

function policyTexts({ policyPath, policyRecordName }: LoadedConfig['config']['policies']): Map<string, Text> {
  if (policyPath !== '') {
    return new Map(
      jsonFiles(policyPath).flatMap((one) => {
        const { id: ownId, _id } = membersOf(one.text)
        const id = ownId || _id
        return typeof id === 'string' ? [[id, one] as const] : []
      }),
    )
  }
  const record = textOf(policyRecordName)
  if (record === undefined) return new Map()
  return new Map(Object.keys(membersOf(record.text)).map((id) => [id, { ...record, above: [id] }]))
}

function jsonFiles(folder: string): Text[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  return names.sort().flatMap((name) => textOf(join(folder, name)) ?? [])
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(text)
  const value = parsed.problem === undefined ? parsed.value : undefined
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
