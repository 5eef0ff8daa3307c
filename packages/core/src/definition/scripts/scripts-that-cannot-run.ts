/** The scripts of a definition that this gateway cannot run, for the report of a reload and for `/hello`. */
import { printJsonPath } from '../../lib/shape/json-path.ts'
import type { ApiDefinition, ApiScripts } from '../api-definition.ts'
import { missingAuthCheck, scriptsAreOff } from './api-scripts.ts'

export interface ScriptsThatCannotRun {
  /** Place in the classic definition. */
  readonly field: string
  readonly reason: string
  /** Requests are rejected; otherwise they pass without the script (`proxy_on_error`). */
  readonly closes: boolean
}

export function scriptsThatCannotRun(api: ApiDefinition): readonly ScriptsThatCannotRun[] {
  const { scripts } = api
  if (scripts === undefined) return []
  return [closedBy(api, scripts), ...endpointsWithoutScripts(api, scripts)].filter((found) => found !== undefined)
}

/** The first reason why the API rejects requests, in the order of the stages. */
function closedBy({ authModes, authGroups }: ApiDefinition, scripts: ApiScripts): ScriptsThatCannotRun | undefined {
  const { unloadedBundle, problem, authCheck } = scripts
  if (unloadedBundle !== undefined) return { field: 'custom_middleware_bundle', reason: unloadedBundle, closes: true }
  const hasEntries = [scripts.pre, scripts.postKeyAuth, scripts.post, scripts.response].some((list) => list.length > 0)
  if (problem !== undefined && hasEntries) return { field: 'custom_middleware', reason: problem, closes: true }
  // Where authentication has alternatives, another one can accept the request.
  const authenticates = authGroups === undefined && authModes.includes('custom')
  if (!authenticates || (problem === undefined && authCheck !== undefined)) return undefined
  return { field: 'custom_middleware.auth_check', reason: problem ?? missingAuthCheck, closes: true }
}

/** Requests to the paths of scripted endpoints are rejected while scripts are off. */
function endpointsWithoutScripts({ versions }: ApiDefinition, { isOff }: ApiScripts): ScriptsThatCannotRun[] {
  if (!isOff) return []
  return [...versions.values()]
    .filter(({ paths }) => paths.virtual.length > 0)
    .map(({ name, paths }) => ({
      field: printJsonPath(['version_data', 'versions', name, 'extended_paths', 'virtual']),
      reason: scriptsAreOff,
      closes: paths.virtual.some(({ proxyOnError }) => !proxyOnError),
    }))
}
