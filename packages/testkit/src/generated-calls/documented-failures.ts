/** Responses with status 500 and above that the management API documents. Any other such response is a bug. */
import type { DocumentedFailure } from './check-response.ts'

const unparsed = /"Unmarshalling failed"/
const notCreated = /"Failed to create key - /
const insecure = /"Failed to create key, ensure security settings are correct\."/
const notDeleted = /"Delete failed"/

const failures: readonly (readonly [operation: string, message: RegExp, source: string])[] = [
  ['createKey', unparsed, 'docs/reference/key-management.md#create-a-random-key'],
  ['previewKey', unparsed, 'docs/reference/key-management.md#preview-a-key'],
  ['createKey', notCreated, 'docs/reference/key-management.md#create-a-random-key'],
  ['addKey', insecure, 'docs/reference/key-management.md#create-or-replace-a-key'],
  ['addCustomKey', insecure, 'docs/reference/key-management.md#create-or-replace-a-key'],
  ['updateKey', insecure, 'docs/reference/key-management.md#create-or-replace-a-key'],
  ['deletePolicy', notDeleted, 'docs/reference/policies.md#policy-endpoints'],
  ['deleteApi', notDeleted, 'docs/reference/api-management.md#classic-endpoints'],
  ['deleteDocument', notDeleted, 'docs/reference/openapi-documents.md#endpoints'],
  ['createOAuthClient', unparsed, 'docs/reference/oauth-clients.md#creating-a-client'],
  ['updateOAuthClient', unparsed, 'docs/reference/oauth-clients.md#updating-a-client'],
]

export const documentedFailures: readonly DocumentedFailure[] = failures.map(([operation, message, source]) => ({
  operation,
  status: 500,
  message,
  source,
}))
