/** Reports an unreadable folder at the configuration key that names it, with a similar name as suggestion. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { makeNote, parseJson, placeNote } from '@turnpike/core/definition'
import { type JsonPath, locateJson, nearestName } from '@turnpike/core/lib'
import type { Finding } from '../config/finding.ts'
import type { LoadedConfig } from '../config/load-config.ts'

/** `label` names the folder, such as "the folder of policies"; `problem` says why it cannot be read. */
export function folderFinding(
  loaded: LoadedConfig,
  path: JsonPath,
  folder: string,
  label: string,
  problem: string,
): Finding {
  const near = nearestName(basename(folder), foldersBeside(folder))
  const place = placeInConfig(loaded, path) ?? { source: folder }
  const id = isLikeOriginal(loaded, problem) ? 'missing-folder-of-original' : 'unreadable-folder'
  return { ...placeNote(makeNote(id, path, { label, problem }, near), folder, undefined), ...place }
}

/** The original gateway starts without its folders, and serves nothing from them; so are its configurations read. */
export function isLikeOriginal({ file, config }: LoadedConfig, problem: string): boolean {
  return (
    config.vendor !== 'svc' &&
    problem === 'does not exist' &&
    !/^(gateway|turnpike)\./.test(basename(file ?? 'gateway.'))
  )
}

/** An error at the key of a file that does not exist. */
export function missingFileFinding(loaded: LoadedConfig, path: JsonPath, file: string): Finding {
  const place = placeInConfig(loaded, path) ?? { source: loaded.file ?? 'config' }
  return { ...placeNote(makeNote('missing-file', path, { file }), place.source, undefined), ...place }
}

/** Returns the position of the key; `undefined` if the file does not contain it. */
function placeInConfig(
  { file }: LoadedConfig,
  path: JsonPath,
): Pick<Finding, 'source' | 'line' | 'column'> | undefined {
  if (file === undefined) return undefined
  try {
    const text = readFileSync(file, 'utf8')
    const parsed = parseJson(text)
    if (parsed.problem !== undefined || !has(parsed.value, path)) return undefined
    return { source: file, ...locateJson(text, path) }
  } catch {
    return undefined
  }
}

function has(value: unknown, path: JsonPath): boolean {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Record<string | number, unknown>)[name]
  }
  return true
}

function foldersBeside(folder: string): string[] {
  try {
    const entries = readdirSync(dirname(resolve(folder)), { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
  } catch {
    return []
  }
}
