/** Checks scripts: entries that will not run, and settings without effect (docs/reference/scripts.md). */

import type { JsonPath } from '../../lib/shape/shape.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import type { ClassicDefinition, CustomMiddleware } from '../classic.ts'
import type { Report } from '../findings/finding.ts'
import { driverProblem, namesBundle, scriptDriver } from '../scripts/api-scripts.ts'
import { isScriptFile } from '../scripts/source-reader.ts'
import type { ExtendedPaths } from '../version-shape.ts'
import type { Lint, LintOptions } from './lint.ts'

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
  const { authCheck, driver } = scripts
  const hasAuthCheck = !authCheck.disabled && authCheck.name !== ''
  if (active.length === 0 && !hasAuthCheck) return
  if (driver === '') {
    report('scripts-without-driver', at, { driver: scriptDriver })
    return
  }
  const problem = driverProblem(driver)
  if (problem !== undefined) {
    report('unsupported-driver', [...at, 'driver'], { problem, driver: scriptDriver })
    return
  }
  if (settings?.enabled === false) report('scripts-switched-off', at)
  for (const { entry, path } of active) {
    if (entry.name === '') report('script-without-name', [...path, 'name'])
    lintFile(entry.path, path, report)
  }
  if (hasAuthCheck) lintFile(authCheck.path, [...at, 'auth_check'], report)
}

function lintFile(file: string, at: JsonPath, report: Report): void {
  if (file !== '' && !isScriptFile(file)) report('script-file-type', [...at, 'path'])
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
  report('auth-script-missing', [field], { driver: scriptDriver })
}

function lintBundle(document: ClassicDefinition, report: Report, { scripts }: LintOptions): void {
  if (!namesBundle(document) || scripts === undefined || (scripts.enabled && scripts.bundles)) return
  report('bundle-not-loaded', ['custom_middleware_bundle'])
}

type EndpointRules = NonNullable<ExtendedPaths['virtual']>

function lintEndpoints(rules: EndpointRules, at: JsonPath, report: Report, { scripts }: LintOptions): void {
  const active = rules.map((rule, i) => ({ rule, path: [...at, i] })).filter(({ rule }) => !rule.disabled)
  if (active.length > 0 && scripts?.enabled === false) {
    report('endpoint-scripts-off', at)
    return
  }
  for (const { rule, path } of active) {
    if (rule.method === '') report('endpoint-without-method', [...path, 'method'])
    if (rule.responseFunctionName === '') {
      report('endpoint-without-function', [...path, 'response_function_name'])
    }
    lintSource(rule, path, report, scripts?.allowsBlobs ?? true)
  }
}

function lintSource(rule: EndpointRules[number], path: JsonPath, report: Report, allowsBlobs: boolean): void {
  const { functionSourceType: type, functionSourceUri: uri } = rule
  if (type !== 'file' && type !== 'blob') {
    report('endpoint-source-type', [...path, 'function_source_type'])
  } else if (type === 'blob' && !allowsBlobs) {
    report('endpoint-blobs-off', [...path, 'function_source_type'])
  } else if (type === 'blob' && decodeBase64(uri) === undefined) {
    report('endpoint-source', [...path, 'function_source_uri'])
  }
}
