/** The user of a session: what belongs to the user's organisation, and what the user may read and write. */
import type { DashboardOptions } from '../dashboard-options.ts'
import { allows } from './permissions.ts'
import type { FoundSession, UserSession } from './sessions.ts'

/** The areas of permissions. Areas of other dashboards have no effect. */
export type Area = 'apis' | 'keys' | 'policies' | 'analytics'

export interface Viewer {
  /** Digest of the session. */
  readonly digest: string
  readonly user: UserSession
  may(area: Area, need: 'read' | 'write'): boolean
  /** Returns true if the user may see what belongs to this organisation. */
  sees(orgId: string): boolean
}

/** What belongs to no organisation is visible if there is only one organisation. */
export function makeViewer({ digest, session }: FoundSession, { organisations }: DashboardOptions): Viewer {
  const isAlone = organisations.length === 1
  return {
    digest,
    user: session,
    may: (area, need) => allows(session.Permissions, area, need),
    sees: (orgId) => orgId === session.OrgID || (orgId === '' && isAlone),
  }
}
