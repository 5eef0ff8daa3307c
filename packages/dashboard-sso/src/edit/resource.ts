/** What the editing calls need to know of keys, policies and APIs. */
import type { Area, Viewer } from '../read/viewer.ts'

export type Members = Readonly<Record<string, unknown>>

/** A stored document and the paths of the management calls that replace and remove it. */
export interface Stored {
  /** With its secrets. */
  readonly document: Members
  readonly path: string
}

export interface EditedResource {
  readonly area: Extract<Area, 'keys' | 'policies' | 'apis'>
  /** In messages: `policy`. */
  readonly noun: string
  /** The document that the viewer may edit; `undefined`: it does not exist, or belongs to another organisation. */
  find(viewer: Viewer, id: string): Promise<Stored | undefined>
  /** Path of the management call that creates a document. */
  createPath(document: Members): string
  /** Returns why a new document cannot be created: its id is in use. */
  findConflict(document: Members): string | undefined
  /** The document with the organisation of the viewer if it names none. */
  withOrg(viewer: Viewer, document: Members): Members
  /** Returns why the viewer may not save the document, in a sentence. */
  findProblem(viewer: Viewer, document: Members): string | undefined
  /** Called after a change. */
  changed?(): void
  /** Keys take effect at once; other documents at the next reload. */
  readonly needsReload: boolean
}

export function textOf(document: Members, name: string): string {
  const value = document[name]
  return typeof value === 'string' ? value : ''
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** Returns a sentence if the document names another organisation than the viewer's. */
export function foreignOrg(viewer: Viewer, orgId: string): string | undefined {
  if (viewer.sees(orgId)) return undefined
  return `org_id must be ${viewer.user.OrgID}, your organisation`
}
