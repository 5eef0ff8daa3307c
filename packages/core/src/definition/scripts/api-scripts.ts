/** The scripts of an API: which run at which stage, and the sources that define them. */
import type { ScriptProblem, ScriptSource } from '../../lib/script-source.ts'
import { customMode } from '../auth-modes/custom-mode.ts'
import type { ClassicDefinition, CustomMiddleware } from '../classic.ts'

export interface ScriptEntry {
  /** Name of the global that the sources define. */
  readonly name: string
  /** The script receives the session of the key. */
  readonly requireSession: boolean
}

/** Names of the stages that scripts can have, as members of `ApiScripts`. */
export type ScriptStage = 'pre' | 'postKeyAuth' | 'post' | 'response'

export interface ApiScripts extends Readonly<Record<ScriptStage, readonly ScriptEntry[]>> {
  /** `undefined`: missing, disabled or without a name. */
  readonly authCheck: ScriptEntry | undefined
  /** In the order in which they are read into the scope. */
  readonly sources: readonly ScriptSource[]
  /** Sources that could not be read. */
  readonly unread: readonly ScriptProblem[]
  /** The configuration switches scripts off (`enable_jsvm`). */
  readonly isOff: boolean
  /** Why the scripts of stages cannot run; `undefined`: they can. Scripted endpoints are not affected. */
  readonly problem: string | undefined
  /** Why the bundle that the definition names is not loaded; `undefined`: it is, or none is named. */
  readonly unloadedBundle: string | undefined
}

/** The driver that runs scripts in JavaScript. */
export const scriptDriver = 'otto'

/** Whether a definition has anything that scripts do. */
export function usesScripts(document: ClassicDefinition): boolean {
  const { customMiddleware } = document
  return (
    // Only an API whose definition has the driver can have a script folder.
    customMiddleware.driver !== '' ||
    activeEntries(customMiddleware).length > 0 ||
    namesBundle(document) ||
    hasEndpoints(document) ||
    customMode.isOn(document)
  )
}

export function namesBundle({ customMiddlewareBundle, customMiddlewareBundleDisabled }: ClassicDefinition): boolean {
  return customMiddlewareBundle !== '' && !customMiddlewareBundleDisabled
}

function hasEndpoints({ versionData }: ClassicDefinition): boolean {
  return Object.values(versionData.versions ?? {}).some(
    ({ useExtendedPaths, extendedPaths }) => useExtendedPaths && (extendedPaths.virtual?.length ?? 0) > 0,
  )
}

type Entry = NonNullable<CustomMiddleware['pre']>[number]

/** The enabled entries of all stages, without authentication. */
export function activeEntries(scripts: CustomMiddleware): readonly Entry[] {
  return [scripts.pre, scripts.postKeyAuth, scripts.post, scripts.response].flatMap(enabled)
}

/** The enabled entries of a list. */
export function enabled(entries: CustomMiddleware['pre']): Entry[] {
  return (entries ?? []).filter(({ disabled }) => !disabled)
}

/** Why no script runs with `enable_jsvm` off. */
export const scriptsAreOff = 'scripts are switched off; set "enable_jsvm" to true in the configuration'

/** Why authentication by a script lets nobody pass although scripts can run. */
export const missingAuthCheck = `custom_middleware has no enabled auth_check with a name and the driver "${scriptDriver}"`

/** Why no script with this driver can run; `undefined`: it is the one that this gateway has. */
export function driverProblem(driver: string): string | undefined {
  if (driver === scriptDriver) return undefined
  if (driver === '') return `without a driver no script can run; set "driver" to "${scriptDriver}"`
  return `the driver "${driver}" is not supported: this gateway runs scripts in JavaScript and TypeScript only (driver "${scriptDriver}")`
}
