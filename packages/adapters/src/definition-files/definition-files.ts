/**
 * API definitions and policies in files: read for a reload, written by the management API, watched during development.
 * `json-folder.ts` reads, `durable-file/` writes, `folder-watch.ts` watches. This adapter does not interpret the texts.
 * Source: docs/reference/api-management.md#definition-files, docs/reference/policies.md#policy-sources.
 */
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type DefinitionSource,
  hasDefinitionMember,
  isSafeApiId,
  type PolicySource,
  pairSidecars,
  type SourceDocument,
} from '@turnpike/core/definition'
import type { Clock } from '@turnpike/core/ports'
import { systemClock } from '../clock-system/clock-system.ts'
import { removeDurably, writeDurably } from '../durable-file/durable-file.ts'
import { type WatchedFolder, watchFolder } from './folder-watch.ts'
import { isDocumentFile, makeJsonFile, makeJsonFolder } from './json-folder.ts'

export { watchFolder } from './folder-watch.ts'

export interface DefinitionFilesOptions {
  /** Folder of definitions. If it is `undefined`, there are no definitions and none can be written. */
  readonly appPath: string | undefined
  readonly policies: {
    /** Folder with one policy per file. It takes precedence over `recordName`. */
    readonly path?: string | undefined
    /** File with a JSON object that maps ids to policies. */
    readonly recordName?: string | undefined
  }
  /** Clock of the watch timers. Default: the system clock. */
  readonly clock?: Clock
  /** Maximum bytes of a file. Default: 16 MiB. */
  readonly maxFileBytes?: number
}

export interface DefinitionFiles extends DefinitionSource {
  /** Returns the text of `<api id>.json`, or `undefined` if the file does not exist. */
  readDefinition(apiId: string): Promise<string | undefined>
  /** Writes `<api id>.json` atomically. Resolves once the text is durable, rejects if writing fails. */
  writeDefinition(apiId: string, text: string): Promise<void>
  /** Removes `<api id>.json`. Resolves to false if the file does not exist. */
  removeDefinition(apiId: string): Promise<boolean>
  /** Writes `<id>.json` to the policy folder, or to the working directory if no folder is set. */
  writePolicy(id: string, text: string): Promise<void>
  removePolicy(id: string): Promise<boolean>
  /**
   * Calls `onChange` after definitions or policies have changed, once for a burst of changes in a folder. Returns a stop
   * function.
   */
  watch(onChange: () => void): () => void
}

/** Makes the source. Paths are resolved once, against the working directory. No file is read before `read`. */
export function makeDefinitionFiles(options: DefinitionFilesOptions): DefinitionFiles {
  const { clock = systemClock, maxFileBytes: maxBytes = 16 * 1024 * 1024 } = options
  const appPath = options.appPath === undefined ? undefined : resolve(options.appPath)
  const policyPath = resolved(options.policies.path)
  const recordPath = policyPath === undefined ? resolved(options.policies.recordName) : undefined
  const label = 'the folder of definitions'
  const definitions =
    appPath === undefined
      ? undefined
      : makeJsonFolder({ path: appPath, label, maxBytes, clock, isWanted: isDefinition })
  const readPolicies = policyReader(policyPath, recordPath, maxBytes, clock)

  return {
    async read() {
      const { documents, problem } = (await definitions?.read()) ?? { documents: [], problem: undefined }
      return { definitions: pairSidecars(documents), definitionsProblem: problem, policies: await readPolicies() }
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
    async writePolicy(id, text) {
      const folder = policyPath ?? resolve('.')
      const file = fileOf(folder, id)
      await requireFolder(folder)
      await writeDurably(file, text)
    },
    removePolicy: async (id) => removeDurably(fileOf(policyPath ?? resolve('.'), id)),
    watch(onChange) {
      const watched: WatchedFolder[] = []
      if (appPath !== undefined) watched.push({ path: appPath, isDocument: isDocumentFile })
      if (policyPath !== undefined) watched.push({ path: policyPath, isDocument: isDocumentFile })
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

/** YAML files that nothing marks as a definition are of other programs. */
function isDefinition({ name, text }: SourceDocument): boolean {
  return name.endsWith('.json') || text === undefined || hasDefinitionMember(text)
}

/** Fails with `ENOENT` or `ENOTDIR` unless the folder exists: a missing folder of policies is not created. */
async function requireFolder(path: string): Promise<void> {
  const found = await stat(path)
  if (!found.isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' })
}

function policyReader(
  folderPath: string | undefined,
  recordPath: string | undefined,
  maxBytes: number,
  clock: Clock,
): () => Promise<PolicySource> {
  if (folderPath !== undefined) {
    const label = 'the folder of policies'
    const folder = makeJsonFolder({ path: folderPath, label, maxBytes, clock })
    return async () => ({ kind: 'folder', ...(await folder.read()) })
  }
  if (recordPath === undefined) return async () => ({ kind: 'none' })
  const file = makeJsonFile(recordPath, basename(recordPath), maxBytes)
  return async () => ({ kind: 'map', document: await file() })
}

function fileOf(folder: string | undefined, id: string): string {
  if (folder === undefined) throw new Error('no folder of definitions is configured')
  // Callers validate ids. This check prevents access outside the folder even if one does not.
  if (!isSafeApiId(id)) throw new Error('the id is not valid as a file name')
  return join(folder, `${id}.json`)
}

function resolved(path: string | undefined): string | undefined {
  return path === undefined || path === '' ? undefined : resolve(path)
}
