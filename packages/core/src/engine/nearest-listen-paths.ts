/** Suggests listen paths for a path that no API has. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { editDistance } from '../lib/shape/nearest-name.ts'

export interface NearListenPath {
  readonly listenPath: string
  readonly apiId: string
  readonly apiName: string
  /** Host of the API; empty: all hosts. */
  readonly host: string
}

const maxSuggestions = 3
/** Longer paths are cut, because the cost of a comparison grows with the length. */
const maxComparedLength = 100

/** Returns the listen paths of this TCP port that resemble the path most, the nearest first. */
export function nearestListenPaths(path: string, apis: readonly ApiDefinition[], port: number): NearListenPath[] {
  return apis
    .filter((api) => !api.internal && api.port === port)
    .map((api) => ({ api, distance: distanceOf(path, api.listenPath) }))
    .sort((a, b) => a.distance - b.distance || moreSpecific(a.api.listenPath, b.api.listenPath))
    .slice(0, maxSuggestions)
    .map(({ api: { listenPath, id: apiId, name: apiName, domain: host } }) => ({ listenPath, apiId, apiName, host }))
}

/** Compares with the start of the path that has as many segments as the listen path. */
function distanceOf(path: string, listenPath: string): number {
  const given = segmentsOf(path)
  const wanted = segmentsOf(listenPath)
  return editDistance(given.slice(0, wanted.length).join('/'), wanted.join('/'))
}

function segmentsOf(path: string): string[] {
  const segments = path.toLowerCase().slice(0, maxComparedLength).split('/')
  return segments.filter((segment) => segment !== '')
}

/** Longer listen paths first, as in routing. */
function moreSpecific(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1)
}
