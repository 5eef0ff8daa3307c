/** Certificates and public keys: /svc/certs. Source: docs/reference/certificates.md#certificate-endpoints. */

import { readText, tooLarge } from '../calls/read-body.ts'
import { failure, json, ok, type Reply } from '../http/reply.ts'
import { type Operation, paramOf, type QueryNote, queryOf } from '../operation.ts'
import { certificateBasicsSchema, certificateSchema, toWireBasics, toWireCertificate } from './certificate-wire.ts'

const certificateNotFound: Reply = failure(404, 'Certificate with given SHA256 fingerprint not found')

const orgQuery: QueryNote = { name: 'org_id', description: 'The organisation; ids begin with it' }

export const listCertificates: Operation = {
  id: 'listCertificates',
  method: 'GET',
  path: '/svc/certs',
  summary: 'Certificates of an organisation; of all without one',
  query: [orgQuery, { name: 'mode', description: '`detailed`: what they say of themselves, instead of their ids' }],
  responses: {
    200: {
      description: 'Oldest first; `null` when there are none',
      schema: {
        type: 'object',
        required: ['certs'],
        properties: {
          certs: {
            type: ['array', 'null'],
            description: 'Ids, or objects with `mode=detailed`',
            items: { ...certificateBasicsSchema, type: ['string', 'object'] },
          },
        },
      },
    },
  },
  async handle(call) {
    const { certificates } = call.management
    const ids = await certificates.ids(queryOf(call, 'org_id'))
    if (queryOf(call, 'mode') !== 'detailed') return json({ certs: ids.length === 0 ? null : ids })
    const found = await Promise.all(ids.map((id) => certificates.get(id)))
    const there = found.filter((one) => one !== undefined).map(toWireBasics)
    return json({ certs: there.length === 0 ? null : there })
  },
}

export const addCertificate: Operation = {
  id: 'addCertificate',
  method: 'POST',
  path: '/svc/certs',
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
    if (pem === undefined) return tooLarge(call)
    const added = await certificates.add(pem, queryOf(call, 'org_id'))
    if (added.kind === 'rejected') return failure(403, added.message)
    return json({ id: added.id, status: 'ok', message: 'Certificate added' })
  },
}

export const getCertificates: Operation = {
  id: 'getCertificates',
  method: 'GET',
  path: '/svc/certs/{id}',
  summary: 'What a certificate says of itself; several ids, separated by commas, make a list',
  responses: {
    200: {
      description: 'The certificate; for several ids a list, with `null` for unknown ones',
      schema: {
        ...certificateSchema,
        type: ['object', 'array'],
        items: { ...certificateSchema, type: ['object', 'null'] },
      },
    },
    404: 'No certificate has this id',
  },
  async handle(call) {
    const { certificates } = call.management
    const ids = paramOf(call, 'id').split(',')
    const found = await Promise.all(ids.map((id) => certificates.get(id)))
    const shown = found.map((one) => (one === undefined ? null : toWireCertificate(one)))
    if (ids.length > 1) return json(shown)
    return found[0] === undefined ? certificateNotFound : json(shown[0])
  },
}

export const deleteCertificate: Operation = {
  id: 'deleteCertificate',
  method: 'DELETE',
  path: '/svc/certs/{id}',
  summary: 'Remove a certificate; it is of no use any more at once',
  query: [orgQuery],
  responses: { 200: 'Removed, or never there' },
  async handle(call) {
    await call.management.certificates.remove(paramOf(call, 'id'), queryOf(call, 'org_id'))
    return ok('removed')
  },
}
