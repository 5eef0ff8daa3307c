/** `turnpike keys import`: creates the keys of files in a running gateway. */
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { FoundKey, LeftOut } from '../../formats/found.ts'
import { readKeys } from '../../formats/read-keys.ts'
import { count } from '../../start/reload-lines.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { type KeyOptions, type Target, withGateway } from './call-gateway.ts'

export interface ImportKeysOptions extends KeyOptions {
  /** Overwrites keys that exist. */
  readonly replace?: boolean
}

/** Keys that exist stay as they are, unless `replace` is set. Exits with 1 if a key was not imported. */
export async function importKeysCommand(source: string, options: ImportKeysOptions, io: Io): Promise<ExitCode> {
  const path = resolve(io.cwd, source)
  if (!existsSync(path)) {
    io.err(`error: ${source} does not exist`)
    return exitCodes.wrongUse
  }
  const found = readKeys(path)
  return withGateway(options, io, async (target) => {
    const left: LeftOut[] = [...found.leftOut]
    const imported: string[] = []
    for (const key of found.keys) {
      const problem = await importKey(target, key, options)
      if (problem === undefined) imported.push(key.name)
      else left.push({ source: key.source, reason: problem })
    }
    const shown = left.map(({ source: file, reason }) => ({ source: relative(io.cwd, file) || file, reason }))
    if (options.json === true) io.out(JSON.stringify({ imported, left_out: shown }, null, 2))
    else io.out(`${count(imported.length, 'key')} imported`)
    for (const { source: file, reason } of shown) io.err(`${file}: ${reason}`)
    return left.length > 0 || imported.length === 0 ? exitCodes.found : exitCodes.fine
  })
}

/** Returns why the key was not imported. */
async function importKey(
  { client }: Target,
  { name, isHash, session }: FoundKey,
  { org, replace }: ImportKeysOptions,
): Promise<string | undefined> {
  if (isHash) return 'is known by its hash only, and a hash cannot be imported; use the Redis that has it'
  const orgId = org ?? session['org_id']
  const { keys } = client
  if (replace !== true) {
    const existing = await keys.getKey({ name, ...(typeof orgId === 'string' ? { org_id: orgId } : {}) })
    if (existing.ok) return `key "${name}" exists already; --replace overwrites it`
  }
  const body = org === undefined ? session : { ...session, org_id: org }
  const made = await keys.addCustomKey({ name, body })
  return made.ok ? undefined : `key "${name}": ${made.message}`
}
