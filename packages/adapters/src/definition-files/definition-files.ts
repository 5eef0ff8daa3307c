/**
 * Definitions and policies in files: reading them for a reload, writing them for the management API, watching them
 * for development. `json-folder.ts` reads, `durable-file/` writes, `folder-watch.ts` watches. What the text means
 * is the engine's matter. Source: spec/apis-and-pipeline.md 1.3, spec/sessions-and-limits.md 4.2.
 */
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type Clock,
  type DefinitionSource,
  isSafeApiId,
  type PolicySource,
  pairCompanions,
  type SourceDocument,
} from '@turnpike/core'
import { systemClock } from '../clock-system/clock-system.ts'
import { removeDurably, writeDurably } from '../durable-file/durable-file.ts'
import { type WatchedFolder, watchFolder } from './folder-watch.ts'
import { makeJsonFile, makeJsonFolder } from './json-folder.ts'

export interface DefinitionFilesOptions {
  /** Folder of definitions; `undefined`: there are none, and none can be written. */
  readonly appPath: string | undefined
  readonly policies: {
    /** Folder of one policy each; wins over the file. */
    readonly path?: string | undefined
    /** File `{ID: policy}`. */
    readonly recordName?: string | undefined
  }
  /** Times the watching; the system's by default. */
  readonly clock?: Clock
  /** Longer files are refused; 16 MiB by default. */
  readonly maxFileBytes?: number
}

export interface DefinitionFiles extends DefinitionSource {
  /** Text of `<api id>.json`; `undefined` when there is no such file. */
  readDefinition(apiId: string): Promise<string | undefined>
  /** Writes `<api id>.json`: whole, and on disk when it resolves. Rejects when that cannot be done. */
  writeDefinition(apiId: string, text: string): Promise<void>
  /** Removes `<api id>.json`; tells whether there was one. */
  removeDefinition(apiId: string): Promise<boolean>
  /** Writes `<id>.json` into the policy folder, or the working directory where none is set. */
  writePolicy(id: string, text: string): Promise<void>
  removePolicy(id: string): Promise<boolean>
  /** Calls back after definitions or policies have changed on disk, once for changes that come together. */
  watch(onChange: () => void): () => void
}

/** Makes the source. Nothing is read before `read`; paths are resolved once, against the working directory. */
export function makeDefinitionFiles(options: DefinitionFilesOptions): DefinitionFiles {
  const { clock = systemClock, maxFileBytes: maxBytes = 16 * 1024 * 1024 } = options
  const appPath = options.appPath === undefined ? undefined : resolve(options.appPath)
  const policyPath = resolved(options.policies.path)
  const recordPath = policyPath === undefined ? resolved(options.policies.recordName) : undefined
  const definitions =
    appPath === undefined
      ? undefined
      : makeJsonFolder({
          path: appPath,
          called: 'the folder of definitions',
          isDocument: isJson,
          maxBytes,
          clock,
        })
  const readPolicies = policyReader(policyPath, recordPath, maxBytes, clock)

  return {
    async read() {
      const { documents, problem } = (await definitions?.read()) ?? nothing
      return { definitions: pairCompanions(documents), definitionsProblem: problem, policies: await readPolicies() }
    },
    async readDefinition(apiId) {
      const path = fileOf(appPath, apiId)
      return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
        throw error
      })
    },
    writeDefinition: async (apiId, text) => writeDurably(fileOf(appPath, apiId), text),
    removeDefinition: async (apiId) => removeDurably(fileOf(appPath, apiId)),
    writePolicy: async (id, text) => writeDurably(fileOf(policyPath ?? resolve('.'), id), text),
    removePolicy: async (id) => removeDurably(fileOf(policyPath ?? resolve('.'), id)),
    watch(onChange) {
      const watched: WatchedFolder[] = []
      if (appPath !== undefined) watched.push({ path: appPath, isDocument: isJson })
      if (policyPath !== undefined) watched.push({ path: policyPath, isDocument: isJson })
      if (recordPath !== undefined) {
        const name = basename(recordPath)
        watched.push({ path: dirname(recordPath), isDocument: (other) => other === name })
      }
      const stops = watched.map((folder) => watchFolder(folder, clock, onChange))
      return () => {
        for (const stop of stops) stop()
      }
    },
  } satisfies DefinitionFiles
}

const nothing: { documents: readonly SourceDocument[]; problem: string | undefined } = {
  documents: [],
  problem: undefined,
}

function policyReader(
  folderPath: string | undefined,
  recordPath: string | undefined,
  maxBytes: number,
  clock: Clock,
): () => Promise<PolicySource> {
  if (folderPath !== undefined) {
    const called = 'the folder of policies'
    const folder = makeJsonFolder({ path: folderPath, called, isDocument: isJson, maxBytes, clock })
    return async () => ({ kind: 'folder', ...(await folder.read()) })
  }
  if (recordPath === undefined) return async () => ({ kind: 'none' })
  const file = makeJsonFile(recordPath, basename(recordPath), maxBytes)
  return async () => ({ kind: 'map', document: file() })
}

// Hidden files are editors' and our own on their way.
function isJson(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.')
}

function fileOf(folder: string | undefined, id: string): string {
  if (folder === undefined) throw new Error('there is no folder of definitions')
  // Callers check ids and answer for them; a file outside of the folder is never touched whatever they do.
  if (!isSafeApiId(id)) throw new Error('the id is no file name')
  return join(folder, `${id}.json`)
}

function resolved(path: string | undefined): string | undefined {
  return path === undefined || path === '' ? undefined : resolve(path)
}
