/** Shared by the handlers of certificates. */
import { failure, type Reply } from '../http/reply.ts'
import type { QueryNote } from '../operation.ts'

export const certificateNotFound: Reply = failure(404, 'Certificate with given SHA256 fingerprint not found')

export const orgQuery: QueryNote = { name: 'org_id', description: 'The organisation; ids begin with it' }
