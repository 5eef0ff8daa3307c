/**
 * Reads the scripts of a definition: `custom_middleware` or its bundle, the script folder of the API, and the sources of
 * scripted endpoints, in the order of docs/reference/scripts.md#script-sources. A changed source changes the hash of the
 * definition, so that a reload compiles the API again.
 */
import { hashText } from '../../lib/hash/hash-key-name.ts'
import type { ApiDefinition, ApiScripts, ScriptEntry } from '../api-definition.ts'
import { isSafeApiId } from '../api-id.ts'
import type { CustomMiddleware } from '../classic.ts'
import {
  driverProblem,
  enabled,
  isHelperLibrary,
  namesBundle,
  scriptDriver,
  scriptsAreOff,
  usesScripts,
} from './api-scripts.ts'
import { type ReadFolder, readFolder } from './read-script-folder.ts'
import type { ScriptFiles, ScriptOptions } from './script-files.ts'
import { SourceReader } from './source-reader.ts'

export type WithScripts = { readonly definition: ApiDefinition } | { readonly problem: string }

/** The definition with its scripts; the problem of a bundle that cannot be loaded. */
export async function withScripts(
  definition: ApiDefinition,
  settings: ScriptOptions | undefined,
  files: ScriptFiles | undefined,
): Promise<WithScripts> {
  if (!usesScripts(definition.document)) return { definition }
  const scripts = await readScripts(definition, settings, files)
  if ('bundleProblem' in scripts) return { problem: scripts.bundleProblem }
  const hash = `${definition.hash} ${hashText(JSON.stringify(scripts), 'murmur128')}`
  return { definition: { ...definition, hash, scripts } }
}

async function readScripts(
  definition: ApiDefinition,
  settings: ScriptOptions | undefined,
  files: ScriptFiles | undefined,
): Promise<ApiScripts | { readonly bundleProblem: string }> {
  const { document } = definition
  if (settings?.enabled !== true || files === undefined) {
    const unloaded = namesBundle(document) ? unloadedBundle : undefined
    return listed(document.customMiddleware, noFolder, { sources: [], unread: [] }, true, unloaded)
  }
  const found = namesBundle(document)
    ? await files.bundle(document.customMiddlewareBundle)
    : ({ kind: 'none' } as const)
  if (found.kind === 'failed') return { bundleProblem: found.problem }
  const scripts = found.kind === 'bundle' ? found.scripts : document.customMiddleware
  const base = found.kind === 'bundle' ? `${found.folder}/` : ''
  const { driver } = scripts
  const folder =
    driver === scriptDriver && isSafeApiId(definition.id)
      ? await readFolder(`${settings.folder}/${definition.id}`, files)
      : noFolder
  const sources = await readSources(definition, scripts, base, folder, settings, files)
  return listed(scripts, folder, sources, false, found.kind === 'disabled' ? unloadedBundle : undefined)
}

const noFolder: ReadFolder = { pre: [], authCheck: [], postKeyAuth: [], post: [] }

async function readSources(
  definition: ApiDefinition,
  scripts: CustomMiddleware,
  base: string,
  folder: ReadFolder,
  settings: ScriptOptions,
  files: ScriptFiles,
): Promise<Pick<ApiScripts, 'sources' | 'unread'>> {
  const reader = new SourceReader(files)
  const { commonFile } = settings
  if (commonFile !== '' && !(isHelperLibrary(commonFile) && (await files.read(commonFile)) === undefined)) {
    await reader.addFile(commonFile)
  }
  for (const [, { paths }] of definition.versions) {
    for (const rule of paths.virtual) await reader.addEndpoint(rule, settings.allowsBlobs)
  }
  if (scripts.driver === scriptDriver) {
    const { authCheck } = scripts
    const ofEntries = (list: CustomMiddleware['pre']) => enabled(list).map(({ path }) => path)
    const paths = [
      ...(authCheck.disabled ? [] : [authCheck.path]),
      ...ofEntries(scripts.pre),
      ...ofEntries(scripts.post),
    ].filter((path) => path !== '')
    const later = [...ofEntries(scripts.postKeyAuth), ...ofEntries(scripts.response)].filter((path) => path !== '')
    for (const path of paths) await reader.addEntry(base + path)
    for (const { path } of [folder.pre, folder.authCheck, folder.postKeyAuth, folder.post].flat()) {
      await reader.addEntry(path)
    }
    for (const path of later) await reader.addEntry(base + path)
  }
  return { sources: reader.sources, unread: reader.unread }
}

function listed(
  scripts: CustomMiddleware,
  folder: ReadFolder,
  sources: Pick<ApiScripts, 'sources' | 'unread'>,
  isOff: boolean,
  unloaded: string | undefined,
): ApiScripts {
  const list = (entries: CustomMiddleware['pre'], more: readonly ScriptEntry[]): readonly ScriptEntry[] =>
    [...enabled(entries), ...more].map(toEntry)
  const { authCheck } = scripts
  const named = !authCheck.disabled && authCheck.name !== '' ? authCheck : undefined
  const chosen = folder.authCheck.at(-1) ?? named
  return {
    pre: list(scripts.pre, folder.pre),
    postKeyAuth: list(scripts.postKeyAuth, folder.postKeyAuth),
    post: list(scripts.post, folder.post),
    response: list(scripts.response, []),
    authCheck: chosen === undefined ? undefined : toEntry(chosen),
    ...sources,
    isOff,
    problem: isOff ? scriptsAreOff : driverProblem(scripts.driver),
    unloadedBundle: unloaded,
  }
}

const unloadedBundle =
  'its bundle is not loaded; set "enable_jsvm", "enable_bundle_downloader" and "bundle_base_url" in the configuration'

function toEntry({ name, requireSession }: ScriptEntry): ScriptEntry {
  return { name, requireSession }
}
