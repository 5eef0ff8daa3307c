/** What the editing calls need to know of keys, policies and APIs. */
import { type Json, textOf } from '@turnpike/core/lib'
import type { Area, Viewer } from '../sso/viewer.ts'

/** A stored document and the paths of the management calls that replace and remove it. */
export interface Stored {
  /** With its secrets. */
  readonly document: Json
  readonly path: string
}

export interface EditedResource {
  readonly area: Extract<Area, 'keys' | 'policies' | 'apis'>
  /** In messages: `policy`. */
  readonly noun: string
  /** The document that the viewer may edit; `undefined`: it does not exist, or belongs to another organisation. */
  find(viewer: Viewer, id: string): Promise<Stored | undefined>
  /** Path of the management call that creates a document. */
  createPath(document: Json): string
  /** Returns why a new document cannot be created: its id is in use. */
  findConflict(document: Json): string | undefined
  /** The document with the organisation of the viewer if it names none. */
  withOrg(viewer: Viewer, document: Json): Json
  /** Returns why the viewer may not save the document, in a sentence. */
  findProblem(viewer: Viewer, document: Json): string | undefined
  /** Called after a change. */
  changed?(): void
  /** Keys take effect at once; other documents at the next reload. */
  readonly needsReload: boolean
}

/** The document with the organisation of the viewer if its member `org_id` names none. */
export function withOrgId(viewer: Viewer, document: Json): Json {
  return textOf(document['org_id']) === '' ? { ...document, org_id: viewer.user.OrgID } : document
}

/** Returns a sentence if the document names another organisation than the viewer's. */
export function foreignOrg(viewer: Viewer, orgId: string): string | undefined {
  if (viewer.sees(orgId)) return undefined
  return `org_id must be ${viewer.user.OrgID}, your organisation`
}
