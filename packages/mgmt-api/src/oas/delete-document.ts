/** DELETE /svc/apis/oas/{id}: the same as for classic definitions. Source: docs/reference/openapi-documents.md#endpoints. */
import { deleteApi } from '../apis/delete-api.ts'
import type { Operation } from '../operation.ts'

export const deleteDocument: Operation = {
  ...deleteApi,
  id: 'deleteDocument',
  path: '/svc/apis/oas/{id}',
  summary: 'Remove a loaded OpenAPI document and its definition',
}
