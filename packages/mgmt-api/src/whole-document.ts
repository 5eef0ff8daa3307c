/** The document with all operations, independent of the configuration; source of the generated client. */
import { defaultSettings } from '@turnpike/core/ports'
import { makeOpenApi, type OpenApiDocument } from './docs/openapi.ts'
import { defaultManagementOptions } from './management-options.ts'
import type { Route } from './operation.ts'
import { operations } from './routes.ts'

export function wholeDocument(): OpenApiDocument {
  const routes = operations.map((operation): Route => ({ method: operation.method, path: operation.path, operation }))
  return makeOpenApi(routes, { settings: defaultSettings, options: defaultManagementOptions })
}
