/** Who looks: what of the gateway belongs to his organisation, and what of it he may read and write. */
import type { DashboardOptions } from '../dashboard-options.ts'
import { allows } from '../sso/permissions.ts'
import type { FoundSession, UserSession } from '../sso/sessions.ts'

/** What permissions speak of here; other areas of other dashboards mean nothing. */
export type Area = 'apis' | 'keys' | 'policies' | 'analytics'

export interface Viewer {
  /** Digest of his session. */
  readonly digest: string
  readonly user: UserSession
  may(area: Area, need: 'read' | 'write'): boolean
  /** Whether what belongs to this organisation is his to see. */
  sees(orgId: string): boolean
}

/** What belongs to no organisation is seen where there is only one: nobody else could own it. */
export function makeViewer({ digest, session }: FoundSession, { organisations }: DashboardOptions): Viewer {
  const isAlone = organisations.length === 1
  return {
    digest,
    user: session,
    may: (area, need) => allows(session.Permissions, area, need),
    sees: (orgId) => orgId === session.OrgID || (orgId === '' && isAlone),
  }
}
