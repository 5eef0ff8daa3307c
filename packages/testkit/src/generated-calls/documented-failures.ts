/** Answers of 500 and above that are part of the management API's contract; any other is a fault. */
import type { DocumentedFailure } from './check-response.ts'

const unparsed = /"Unmarshalling failed"/
const insecure = /"Failed to create key, ensure security settings are correct\."/

export const documentedFailures: readonly DocumentedFailure[] = [
  { operation: 'createKey', status: 500, message: unparsed, source: 'spec/sessions-and-limits.md 2.2 step 1' },
  { operation: 'previewKey', status: 500, message: unparsed, source: 'spec/sessions-and-limits.md 2.6' },
  {
    operation: 'createKey',
    status: 500,
    message: /"Failed to create key - /,
    source: 'spec/sessions-and-limits.md 2.2 steps 2 and 4',
  },
  { operation: 'addKey', status: 500, message: insecure, source: 'spec/sessions-and-limits.md 2.3 step 6' },
  { operation: 'addCustomKey', status: 500, message: insecure, source: 'spec/sessions-and-limits.md 2.3 step 6' },
  { operation: 'updateKey', status: 500, message: insecure, source: 'spec/sessions-and-limits.md 2.3 step 6' },
  { operation: 'deletePolicy', status: 500, message: /"Delete failed"/, source: 'spec/sessions-and-limits.md 4.2' },
  { operation: 'deleteApi', status: 500, message: /"Delete failed"/, source: 'spec/apis-and-pipeline.md 1' },
  { operation: 'deleteDocument', status: 500, message: /"Delete failed"/, source: 'spec/oas-and-mcp.md 1' },
  { operation: 'createOAuthClient', status: 500, message: unparsed, source: 'spec/oauth-certs-reload.md 1.1' },
  { operation: 'updateOAuthClient', status: 500, message: unparsed, source: 'spec/oauth-certs-reload.md 1.2' },
]
