/** Finds the APIs that a user names by ID or by name, and gives each API the name that the report shows. */
import { nearestName } from '@turnpike/core/lib'

interface NamedApi {
  readonly id: string
  readonly name: string
}

/** Returns the IDs of the named APIs in the given order, or says which of them does not exist. */
export function findApis(
  apis: readonly NamedApi[],
  wanted: readonly string[],
): { readonly ids: readonly string[] } | { readonly problem: string } {
  const ids: string[] = []
  for (const text of wanted) {
    const byId = apis.filter(({ id }) => id === text)
    const found = byId.length > 0 ? byId : apis.filter(({ name }) => name === text)
    const [first] = found
    if (first === undefined) return { problem: `there is no API "${text}"; ${suggestionFor(text, apis)}` }
    if (found.length > 1) {
      return {
        problem: `${found.length} APIs have the name "${text}"; use an ID: ${found.map(({ id }) => id).join(', ')}`,
      }
    }
    ids.push(first.id)
  }
  return { ids }
}

function suggestionFor(text: string, apis: readonly NamedApi[]): string {
  const near = nearestName(text, new Set(apis.flatMap(({ id, name }) => [id, name])))
  if (near !== undefined) return `did you mean "${near}"?`
  return apis.length === 0 ? 'no API is loaded' : `there are ${apis.map(({ id }) => id).join(', ')}`
}

/** Returns a function from an API to its name. The ID is added where several APIs have the same name. */
export function apiNames(apis: readonly NamedApi[]): (api: NamedApi) => string {
  const uses = new Map<string, number>()
  for (const { name } of apis) uses.set(name, (uses.get(name) ?? 0) + 1)
  return ({ id, name }) => (name === '' ? id : (uses.get(name) ?? 0) > 1 ? `${name} (${id})` : name)
}
