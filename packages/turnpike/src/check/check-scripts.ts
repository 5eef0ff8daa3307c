/** Reads the scripts of each definition as the gateway does, and reports sources that are missing or do not parse. */
import { isHelperLibrary, makeNote, placeNote, withScripts } from '@turnpike/core/definition'
import type { EngineOptions } from '@turnpike/core/engine'
import { type ScriptProblem, type ScriptSource, vendorForms } from '@turnpike/core/lib'
import type { ScriptRuntime } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Finding } from '../config/finding.ts'
import { toSettings } from '../config/to-settings.ts'
import { Lifecycle } from '../gateway/lifecycle.ts'
import { wireScripts } from '../gateway/wire-scripts.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'

/** `folder`: that of the configuration file `source`. Nothing is read while scripts are off. */
export async function checkScripts(
  apis: readonly CheckedApi[],
  config: GatewayConfig,
  folder: string,
  source: string,
): Promise<Finding[]> {
  const lifecycle = new Lifecycle()
  try {
    const wired = await wireScripts({ config, folder, lifecycle })
    const findings: Finding[] = []
    findings.push(...(await checkHelperLibrary(config, source, wired)))
    for (const api of apis) findings.push(...(await checkApi(api, config, wired)))
    return findings
  } finally {
    await lifecycle.close(0)
  }
}

async function checkHelperLibrary(
  config: GatewayConfig,
  source: string,
  { scriptFiles }: Pick<EngineOptions, 'scriptFiles'>,
): Promise<Finding[]> {
  const file = config.svcJsPath || config.tykJsPath
  if (!isHelperLibrary(file) || (await scriptFiles?.read(file)) !== undefined) return []
  const field = config.svcJsPath === '' ? 'tyk_js_path' : 'svc_js_path'
  return [placeNote(makeNote('helper-library-missing', [field], { file }), source, undefined)]
}

async function checkApi(
  api: CheckedApi,
  config: GatewayConfig,
  { scripts: runtime, scriptFiles }: Pick<EngineOptions, 'scripts' | 'scriptFiles'>,
): Promise<Finding[]> {
  if (runtime === undefined) return []
  const settings = toSettings(config)
  const made = await withScripts(api.definition, settings.scripts, scriptFiles)
  if ('problem' in made)
    return [findingAt(api, 'invalid-bundle', ['custom_middleware_bundle'], { problem: made.problem })]
  const { scripts } = made.definition
  if (scripts === undefined) return []
  const timeoutMs = settings.scripts?.timeoutMs ?? 0
  const broken = await readSources(runtime, scripts.sources, timeoutMs, vendorForms(config.vendor).title)
  return [...scripts.unread, ...broken].map(({ source, message }) =>
    findingAt(api, 'invalid-script', ['custom_middleware'], { source, problem: message }),
  )
}

/** Evaluates the sources in a scope of their own; their helpers do nothing. */
function readSources(
  runtime: ScriptRuntime,
  sources: readonly ScriptSource[],
  timeoutMs: number,
  vendor: string,
): Promise<readonly ScriptProblem[]> {
  if (sources.length === 0) return Promise.resolve([])
  return new Promise((resolve) => {
    const scope = runtime.open({
      sources,
      timeoutMs,
      vendor,
      host: {
        run: () => undefined,
        loaded(problems) {
          scope.close()
          resolve(problems)
        },
      },
    })
  })
}
