/** GET /svc/certs. Source: docs/reference/certificates.md#certificate-endpoints. */
import { json } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'
import { orgQuery } from './certificate-replies.ts'
import { certificateBasicsSchema, toWireBasics } from './certificate-wire.ts'

export const listCertificates: Operation = {
  id: 'listCertificates',
  method: 'GET',
  path: '/svc/certs',
  tag: 'certs',
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
