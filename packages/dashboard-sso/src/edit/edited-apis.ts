/** API definitions as documents that the page edits: classic definitions, OpenAPI documents and MCP proxies. */
import {
  type ApiDefinition,
  type ClassicDefinition,
  classicShape,
  extensionName,
  speaksMcp,
  toClassic,
  toMcpClassic,
} from '@turnpike/core/definition'
import { isJson, type Json, objectOf, printJsonPath, readShape, textOf } from '@turnpike/core/lib'
import { findOrgConflicts } from '@turnpike/core/route'
import type { DashboardServices } from '../dashboard-services.ts'
import type { Viewer } from '../sso/viewer.ts'
import { type EditedResource, foreignOrg, withOrgId } from './resource.ts'

type Services = Pick<DashboardServices, 'gateway' | 'settings' | 'options'>

export function makeEditedApis(services: Services): EditedResource {
  const { gateway, settings } = services
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
    findProblem: (viewer, document) => foreignOrg(viewer, orgOf(document)) ?? conflictOf(services, viewer, document),
  }
}

/** Returns how the API would take part in APIs of other organisations. Invalid documents get the error of their write. */
function conflictOf({ gateway, settings, options }: Services, viewer: Viewer, document: Json): string | undefined {
  if (options.sharedPaths) return undefined
  const { vendor, customDomains, ports } = settings
  const foreign = gateway.definitions().filter(({ orgId }) => !viewer.sees(orgId))
  // `findConflict` and the management call report an id that exists, and documents that cannot be read.
  const [first] = classicForms(document, vendor)
    .filter(({ apiId }) => foreign.every(({ id }) => id !== apiId))
    .flatMap((classic) => findOrgConflicts(classic, foreign, { vendor, customDomains, ports }))
  return first && `${printJsonPath(first.path)} ${first.reason}`
}

function pathOf({ id, document }: ApiDefinition): string {
  const name = encodeURIComponent(id)
  if (speaksMcp(document)) return `/mcps/${name}`
  return document.isOas ? `/apis/oas/${name}` : `/apis/${name}`
}

/** A document is read as both kinds, because only the management call knows which one it is. */
function classicForms(document: Json, vendor: string): readonly ClassicDefinition[] {
  const extension = document[extensionName(vendor)]
  if (!isJson(extension)) return [readShape(classicShape, document).value]
  return [toClassic, toMcpClassic].flatMap((derive) => {
    const made = derive(document, extension)
    return made.problem === undefined ? [made.value] : []
  })
}
