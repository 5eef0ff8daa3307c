/** DELETE /svc/certs/{id}. Source: docs/reference/certificates.md#certificate-endpoints. */
import { ok } from '../http/reply.ts'
import { type Operation, paramOf, queryOf } from '../operation.ts'
import { orgQuery } from './certificate-replies.ts'

export const deleteCertificate: Operation = {
  id: 'deleteCertificate',
  method: 'DELETE',
  path: '/svc/certs/{id}',
  tag: 'certs',
  summary: 'Remove a certificate; it is of no use any more at once',
  query: [orgQuery],
  responses: { 200: 'Removed, or never there' },
  async handle(call) {
    await call.management.certificates.remove(paramOf(call, 'id'), queryOf(call, 'org_id'))
    return ok('removed')
  },
}
