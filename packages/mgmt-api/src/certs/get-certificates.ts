/** GET /svc/certs/{id}, and several at once with commas. Source: docs/reference/certificates.md#certificate-endpoints. */
import { serialiseCertificate } from '../http/generated/serialisers.ts'
import { jsonText, listText } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { certificateNotFound } from './certificate-replies.ts'
import { certificateSchema, toWireCertificate } from './certificate-wire.ts'

export const getCertificates: Operation = {
  id: 'getCertificates',
  method: 'GET',
  path: '/svc/certs/{id}',
  tag: 'certs',
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
    const told = found.map((one) => (one === undefined ? 'null' : serialiseCertificate(toWireCertificate(one))))
    if (ids.length > 1) return jsonText(listText(told, (text) => text))
    return found[0] === undefined ? certificateNotFound : jsonText(told[0] as string)
  },
}
