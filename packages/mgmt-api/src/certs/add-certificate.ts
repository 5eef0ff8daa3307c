/** POST /svc/certs: a certificate, a chain, a certificate with its key, or a public key. Source: docs/reference/certificates.md#certificate-endpoints. */
import { readText } from '../http/read-body.ts'
import { failure, json } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'
import { orgQuery } from './certificate-replies.ts'

export const addCertificate: Operation = {
  id: 'addCertificate',
  method: 'POST',
  path: '/svc/certs',
  tag: 'certs',
  summary: 'Store a certificate, with its private key or without, or a public key',
  query: [orgQuery],
  body: { schema: { type: 'string' }, type: 'application/x-pem-file', description: 'PEM' },
  responses: {
    200: {
      description: 'Stored under this id: the organisation and the SHA-256 of the first certificate',
      schema: {
        type: 'object',
        required: ['id', 'status', 'message'],
        properties: { id: { type: 'string' }, status: { type: 'string' }, message: { type: 'string' } },
      },
    },
    403: 'The key is wrong, the text cannot be read or used, or the certificate is there already',
    413: 'The body is too large',
  },
  async handle(call) {
    const { certificates, options } = call.management
    const pem = await readText(call.request, options.maxBodyBytes)
    if (pem === undefined) return failure(413, 'Request Entity Too Large')
    const added = await certificates.add(pem, queryOf(call, 'org_id'))
    if (added.kind === 'refused') return failure(403, added.message)
    return json({ id: added.id, status: 'ok', message: 'Certificate added' })
  },
}
