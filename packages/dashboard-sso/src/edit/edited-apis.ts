/** API definitions as documents that the page edits: classic definitions, OpenAPI documents and MCP proxies. */
import { type ApiDefinition, extensionName, speaksMcp } from '@turnpike/core/definition'
import { type Json, objectOf, textOf } from '@turnpike/core/lib'
import type { DashboardServices } from '../dashboard-services.ts'
import { type EditedResource, foreignOrg, withOrgId } from './resource.ts'

export function makeEditedApis({ gateway, settings }: Pick<DashboardServices, 'gateway' | 'settings'>): EditedResource {
  const extension = extensionName(settings.vendor)
  const infoOf = (document: Json) => objectOf(objectOf(document[extension])['info'])
  const isDocument = (document: Json) => typeof document['openapi'] === 'string'
  const orgOf = (document: Json) => textOf(isDocument(document) ? infoOf(document)['orgId'] : document['org_id'])
  const idOf = (document: Json) => textOf(isDocument(document) ? infoOf(document)['id'] : document['api_id'])

  return {
    area: 'apis',
    noun: 'API',
    needsReload: true,
    async find(viewer, id) {
      const api = gateway.definitions().find((one) => one.id === id)
      if (api === undefined || !viewer.sees(api.orgId)) return undefined
      const path = pathOf(api)
      const { status, body } = await gateway.manage('GET', path)
      return status === 200 ? { document: objectOf(body), path } : undefined
    },
    createPath: (document) => (isDocument(document) ? '/apis/oas' : '/apis'),
    findConflict(document) {
      const id = idOf(document)
      if (id === '') return undefined
      // A file that cannot be loaded may be the definition of another user.
      const files = [`${id}.json`, `${id}.yaml`, `${id}.yml`]
      const isFile = (source: string) => files.some((file) => source === file || source.endsWith(`/${file}`))
      const exists =
        gateway.definitions().some((api) => api.id === id || isFile(api.source)) ||
        gateway.report()?.failed.some(({ source }) => isFile(source))
      return exists ? `An API with the id ${id} already exists` : undefined
    },
    withOrg(viewer, document) {
      if (!isDocument(document)) return withOrgId(viewer, document)
      if (orgOf(document) !== '') return document
      const info = { ...infoOf(document), orgId: viewer.user.OrgID }
      return { ...document, [extension]: { ...objectOf(document[extension]), info } }
    },
    findProblem: (viewer, document) => foreignOrg(viewer, orgOf(document)),
  }
}

function pathOf({ id, document }: ApiDefinition): string {
  const name = encodeURIComponent(id)
  if (speaksMcp(document)) return `/mcps/${name}`
  return document.isOas ? `/apis/oas/${name}` : `/apis/${name}`
}
