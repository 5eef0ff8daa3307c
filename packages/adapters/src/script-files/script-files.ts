/** Sources of scripts in files, and bundles (docs/reference/scripts.md#script-sources). */
import { readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ScriptFiles } from '@turnpike/core/definition'
import { type BundleOptions, loadBundle } from './load-bundle.ts'

export interface ScriptFilesOptions {
  /** Folders to which relative paths belong; the first that has the file counts. */
  readonly folders: readonly string[]
  /** `undefined`: bundles are not loaded. */
  readonly bundles: BundleOptions | undefined
}

/** A script is written by hand; a longer file is a mistake. */
const maxSourceBytes = 4 * 1024 * 1024

export function makeScriptFiles({ folders, bundles }: ScriptFilesOptions): ScriptFiles {
  const placesOf = (path: string) => (isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path)))
  return {
    async read(path) {
      for (const file of placesOf(path)) {
        const text = await readSource(file)
        if (text !== undefined) return text
      }
      return undefined
    },
    async list(path) {
      for (const folder of placesOf(path)) {
        const names = await readdir(folder).catch(() => undefined)
        if (names !== undefined) return names.sort()
      }
      return []
    },
    bundle: async (name) => (bundles === undefined ? { kind: 'disabled' } : await loadBundle(name, bundles)),
  }
}

async function readSource(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    return size > maxSourceBytes ? undefined : await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}
