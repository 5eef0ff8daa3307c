/** What a classic definition says about scripts: whether it uses any, which entries are enabled, and why none can run. */
import { customMode } from '../auth-modes/custom-mode.ts'
import type { ClassicDefinition, CustomMiddleware } from '../classic.ts'

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

/**
 * Whether a common script is the library of helpers that comes with the original gateway. This gateway has its helpers
 * built in, so the file may be missing.
 */
export function isHelperLibrary(path: string): boolean {
  return /(?:^|[\\/])(?:tyk|svc)\.js$/.test(path)
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
