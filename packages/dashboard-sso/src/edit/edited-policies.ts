/** Policies as documents that the page edits. */
import { type Json, objectOf, textOf } from '@turnpike/core/lib'
import { toWirePolicy } from '@turnpike/core/session'
import type { DashboardServices } from '../dashboard-services.ts'
import { type EditedResource, foreignOrg, withOrgId } from './resource.ts'

export function makeEditedPolicies({ gateway }: Pick<DashboardServices, 'gateway'>): EditedResource {
  return {
    area: 'policies',
    noun: 'policy',
    needsReload: true,
    async find(viewer, id) {
      const policy = gateway.policies().get(id)
      if (policy === undefined || !viewer.sees(policy.orgId)) return undefined
      return { document: toWirePolicy(policy) as unknown as Json, path: `/policies/${encodeURIComponent(id)}` }
    },
    createPath: () => '/policies',
    findConflict(document) {
      const id = textOf(document['id'])
      return gateway.policies().get(id) === undefined ? undefined : `A policy with the id ${id} already exists`
    },
    withOrg: withOrgId,
    findProblem(viewer, document) {
      // An API can be added later, so an unknown one is no problem; one of another organisation is.
      for (const id of Object.keys(objectOf(document['access_rights']))) {
        const api = gateway.definitions().find((one) => one.id === id)
        if (api !== undefined && !viewer.sees(api.orgId)) return `access_rights: there is no API ${id}`
      }
      return foreignOrg(viewer, textOf(document['org_id']))
    },
  }
}
