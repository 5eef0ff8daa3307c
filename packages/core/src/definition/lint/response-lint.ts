/** Checks responses: rules that never take effect, and unknown processors. */
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { processorNames } from '../classic.ts'
import { readErrorOverrides } from '../error-override-rules.ts'
import type { VersionDocument } from '../version-shape.ts'
import type { Lint } from './lint.ts'

/** Processors of the original gateway that run plugins in other languages, or filters of jq. */
const unsupportedProcessors = ['custom_mw_res_hook', 'goplugin_res_hook', 'response_body_transform_jq']

export const responseLint: Lint = (document, report, options) => {
  for (const { path, message } of readErrorOverrides(document.errorOverrides).problems) {
    report('invalid-error-override', ['error_overrides', ...path], { problem: message })
  }
  const declared = (document.responseProcessors ?? []).map((processor) => processor.name)
  for (const [i, name] of declared.entries()) {
    if (processorNames.some((known) => known === name)) continue
    if (unsupportedProcessors.includes(name)) {
      report('unsupported-response-processor', ['response_processors', i, 'name'], { name })
      continue
    }
    report('unknown-response-processor', ['response_processors', i, 'name'], {}, nearestName(name, processorNames))
  }
  if (options.undeclaredResponseProcessors === 'fire' || document.isOas) return
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    const at = ['version_data', 'versions', name]
    if (!declared.includes('header_injector'))
      for (const path of headerRules(version, at)) reportIneffective(path, 'header_injector')
    if (!declared.includes('response_body_transform')) {
      const paths = enabledRules(version, version.extendedPaths.transformResponse, at, 'transform_response')
      for (const path of paths) reportIneffective(path, 'response_body_transform')
    }
  }

  function reportIneffective(path: JsonPath, processor: string): void {
    report('undeclared-response-processor', path, { name: processor })
  }
}

/** Paths of the rules that change response headers. */
function headerRules(version: VersionDocument, at: JsonPath): JsonPath[] {
  const paths: JsonPath[] = []
  if (!version.globalResponseHeadersDisabled) {
    if (Object.keys(version.globalResponseHeaders ?? {}).length > 0) paths.push([...at, 'global_response_headers'])
    if ((version.globalResponseHeadersRemove?.length ?? 0) > 0) paths.push([...at, 'global_response_headers_remove'])
  }
  return [
    ...paths,
    ...enabledRules(version, version.extendedPaths.transformResponseHeaders, at, 'transform_response_headers'),
  ]
}

function enabledRules(
  version: VersionDocument,
  rules: readonly { readonly disabled: boolean }[] | null,
  at: JsonPath,
  listName: string,
): JsonPath[] {
  if (!version.useExtendedPaths || rules === null) return []
  return rules.flatMap((rule, i) => (rule.disabled ? [] : [[...at, 'extended_paths', listName, i]]))
}
