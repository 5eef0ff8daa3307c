/** Checks scripts: entries that will not run, and settings without effect (docs/reference/scripts.md). */
import type { JsonPath } from '../../lib/shape/shape.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import type { ClassicDefinition, CustomMiddleware } from '../classic.ts'
import { driverProblem, namesBundle, scriptDriver } from '../scripts/api-scripts.ts'
import { isScriptFile } from '../scripts/source-reader.ts'
import type { ExtendedPaths } from '../version-shape.ts'
import type { Lint, LintOptions, Report } from './finding.ts'

const stages = { pre: 'pre', postKeyAuth: 'post_key_auth', post: 'post', response: 'response' } as const

export const scriptLint: Lint = (document, report, options) => {
  lintStages(document.customMiddleware, report, options)
  lintAuth(document, report)
  lintBundle(document, report, options)
  for (const [name, { useExtendedPaths, extendedPaths }] of Object.entries(document.versionData.versions ?? {})) {
    const at = ['version_data', 'versions', name, 'extended_paths', 'virtual']
    if (useExtendedPaths) lintEndpoints(extendedPaths.virtual ?? [], at, report, options)
  }
}

function lintStages(scripts: CustomMiddleware, report: Report, { scripts: settings }: LintOptions): void {
  const at = ['custom_middleware']
  const active = Object.entries(stages).flatMap(([stage, wire]) =>
    (scripts[stage as keyof typeof stages] ?? []).flatMap((entry, i) =>
      entry.disabled ? [] : [{ entry, path: [...at, wire, i] as JsonPath }],
    ),
  )
  const { authCheck, driver, idExtractor } = scripts
  const hasAuthCheck = !authCheck.disabled && authCheck.name !== ''
  if (idExtractor !== null)
    report('warning', [...at, 'id_extractor'], 'is for plugins in other languages and is ignored')
  if (active.length === 0 && !hasAuthCheck) return
  if (driver === '') {
    report(
      'error',
      at,
      `has no driver, so the API rejects requests that reach its scripts with 500; set "driver" to "${scriptDriver}"`,
    )
    return
  }
  const problem = driverProblem(driver)
  if (problem !== undefined) {
    report(
      'error',
      [...at, 'driver'],
      `is not supported, so the API rejects requests with 500: ${problem}`,
      scriptDriver,
    )
    return
  }
  if (settings?.enabled === false) report('error', at, switchedOff)
  for (const { entry, path } of active) {
    if (entry.name === '') report('error', [...path, 'name'], 'is missing, so the API rejects requests with 500')
    lintFile(entry.path, path, report)
  }
  if (hasAuthCheck) lintFile(authCheck.path, [...at, 'auth_check'], report)
}

const switchedOff =
  'needs scripts, which are switched off: the API rejects requests with 500; set "enable_jsvm" to true in the configuration'

function lintFile(file: string, at: JsonPath, report: Report): void {
  if (file !== '' && !isScriptFile(file))
    report('error', [...at, 'path'], 'is ignored, because it ends in neither .js nor .ts')
}

function lintAuth(document: ClassicDefinition, report: Report): void {
  const { customPluginAuthEnabled, useGoPluginAuth, enableCoprocessAuth, useKeyless } = document
  if (useKeyless || !(customPluginAuthEnabled || useGoPluginAuth || enableCoprocessAuth)) return
  const { authCheck, driver } = document.customMiddleware
  if (namesBundle(document) || (driver !== '' && !authCheck.disabled && authCheck.name !== '')) return
  const field = customPluginAuthEnabled
    ? 'custom_plugin_auth_enabled'
    : enableCoprocessAuth
      ? 'enable_coprocess_auth'
      : 'use_go_plugin_auth'
  const needs = `custom_middleware with the driver "${scriptDriver}" and an enabled auth_check {name, path}`
  report(
    'error',
    [field],
    `needs ${needs}, or a script in the folder auth of the API; without it every request is rejected`,
  )
}

function lintBundle(document: ClassicDefinition, report: Report, { scripts }: LintOptions): void {
  if (!namesBundle(document) || scripts === undefined || (scripts.enabled && scripts.bundles)) return
  const fix = 'set "enable_jsvm", "enable_bundle_downloader" and "bundle_base_url" in the configuration'
  report('error', ['custom_middleware_bundle'], `is not loaded, so the API rejects every request with 500; ${fix}`)
}

type EndpointRules = NonNullable<ExtendedPaths['virtual']>

function lintEndpoints(rules: EndpointRules, at: JsonPath, report: Report, { scripts }: LintOptions): void {
  const active = rules.map((rule, i) => ({ rule, path: [...at, i] })).filter(({ rule }) => !rule.disabled)
  if (active.length > 0 && scripts?.enabled === false) {
    report(
      'error',
      at,
      'cannot run, so its requests are rejected with 500; set "enable_jsvm" to true in the configuration',
    )
    return
  }
  for (const { rule, path } of active) {
    if (rule.method === '') report('error', [...path, 'method'], 'is missing, so the rule matches no request')
    if (rule.responseFunctionName === '') {
      report('error', [...path, 'response_function_name'], 'is missing, so every request of the rule fails')
    }
    lintSource(rule, path, report, scripts?.allowsBlobs ?? true)
  }
}

function lintSource(rule: EndpointRules[number], path: JsonPath, report: Report, allowsBlobs: boolean): void {
  const { functionSourceType: type, functionSourceUri: uri } = rule
  if (type !== 'file' && type !== 'blob') {
    report('error', [...path, 'function_source_type'], 'must be "file" or "blob"; nothing is read')
  } else if (type === 'blob' && !allowsBlobs) {
    report('error', [...path, 'function_source_type'], 'is not read, because disable_virtual_path_blobs is true')
  } else if (type === 'blob' && decodeBase64(uri) === undefined) {
    report('error', [...path, 'function_source_uri'], 'is not valid base64')
  }
}
