/** Responses with status 500 and above that the management API documents. Any other such response is a bug. */
import type { DocumentedFailure } from './check-response.ts'

const unparsed = /"Unmarshalling failed"/
const insecure = /"Failed to create key, ensure security settings are correct\."/

export const documentedFailures: readonly DocumentedFailure[] = [
  {
    operation: 'createKey',
    status: 500,
    message: unparsed,
    source: 'docs/reference/key-management.md#create-a-random-key',
  },
  { operation: 'previewKey', status: 500, message: unparsed, source: 'docs/reference/key-management.md#preview-a-key' },
  {
    operation: 'createKey',
    status: 500,
    message: /"Failed to create key - /,
    source: 'docs/reference/key-management.md#create-a-random-key',
  },
  {
    operation: 'addKey',
    status: 500,
    message: insecure,
    source: 'docs/reference/key-management.md#create-or-replace-a-key',
  },
  {
    operation: 'addCustomKey',
    status: 500,
    message: insecure,
    source: 'docs/reference/key-management.md#create-or-replace-a-key',
  },
  {
    operation: 'updateKey',
    status: 500,
    message: insecure,
    source: 'docs/reference/key-management.md#create-or-replace-a-key',
  },
  {
    operation: 'deletePolicy',
    status: 500,
    message: /"Delete failed"/,
    source: 'docs/reference/policies.md#policy-endpoints',
  },
  {
    operation: 'deleteApi',
    status: 500,
    message: /"Delete failed"/,
    source: 'docs/reference/api-management.md#classic-endpoints',
  },
  {
    operation: 'deleteDocument',
    status: 500,
    message: /"Delete failed"/,
    source: 'docs/reference/openapi-documents.md#endpoints',
  },
  {
    operation: 'createOAuthClient',
    status: 500,
    message: unparsed,
    source: 'docs/reference/oauth-clients.md#creating-a-client',
  },
  {
    operation: 'updateOAuthClient',
    status: 500,
    message: unparsed,
    source: 'docs/reference/oauth-clients.md#updating-a-client',
  },
]
