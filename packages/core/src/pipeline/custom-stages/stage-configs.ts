/** The configuration of custom stages in a definition. Source: docs/extending.md#configuration-in-definitions. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { extensionName, extensionOf } from '../../definition/openapi/extension.ts'
import { memberOf } from '../../lib/json.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'

export interface StageConfigs {
  /** `undefined`: the definition configures no stages. */
  readonly value: unknown
  /** Path of the value in its document. */
  readonly path: JsonPath
  /** The document is the OpenAPI document of the definition, not the definition itself. */
  readonly isOfSidecar: boolean
}

/** The OpenAPI document of a definition has precedence over the definition. */
export function stageConfigsOf({ document, oas }: ApiDefinition, vendor: string): StageConfigs {
  const extension = oas === undefined ? undefined : extensionOf(oas, vendor)
  const value = memberOf(extension, 'middleware', 'stages')
  if (value !== undefined && value !== null) {
    return { value, path: [extensionName(vendor), 'middleware', 'stages'], isOfSidecar: true }
  }
  return { value: document.stages ?? undefined, path: ['stages'], isOfSidecar: false }
}
