/** Parameters, bodies and responses that the operations on documents share in the OpenAPI document. */
import { doneResponse, type Operation, type QueryNote } from '../operation.ts'

/** `what`: what the call creates. */
export const versionQuery = (what: 'definition' | 'document'): readonly QueryNote[] => [
  { name: 'base_api_id', description: `Makes the ${what} a version of this API` },
  { name: 'base_api_version_name', description: 'Name of the version that the base itself is' },
  { name: 'new_version_name', description: 'Name of the new version' },
  { name: 'set_default', description: '`true`: the new version is the default' },
]

const unwritable = { description: 'A file cannot be written' }

/** Responses of operations that create a document; `unfit` describes status 400. */
export function createResponses(unfit: string): Operation['responses'] {
  return { 200: doneResponse, 400: unfit, 422: 'The new version has no name', 500: unwritable }
}

/** Responses of operations that change the document of a loaded API. */
export function changeResponses(unfit: string, notFound = 'API not found'): Operation['responses'] {
  return { 200: doneResponse, 400: unfit, 404: notFound, 500: unwritable }
}
