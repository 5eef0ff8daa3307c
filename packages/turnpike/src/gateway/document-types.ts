/**
 * Types of definitions, policies, keys and configurations with the field names of the file formats. They are generated
 * from the shapes that read the documents, so a misspelt field does not compile.
 */
import type { AccessRightDocument, SessionDocument } from '../client/generated/document-types.ts'

export type * from '../client/generated/document-types.ts'

/** The access rights of a key or a policy, by API id. */
export type AccessRightsDocument = Readonly<Record<string, AccessRightDocument>>

/** Rate (`rate` requests in `per` seconds) and quota (`quota_max` requests in `quota_renewal_rate` seconds). */
export type LimitsDocument = Pick<SessionDocument, 'rate' | 'per' | 'quota_max' | 'quota_renewal_rate'>
