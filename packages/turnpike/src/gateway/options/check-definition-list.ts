/** Checks lists of definitions that a program passes: each is an object, and the ids are unique. */
import { apiIdRule, isApiId } from '@turnpike/core/definition'
import { isJson } from '@turnpike/core/lib'
import { OptionError, shown } from './option-error.ts'

/** `option`: where the list comes from, `definitions` or `definitions()`. Throws an `OptionError`. */
export function checkDefinitionList(list: unknown, option: string): void {
  if (!Array.isArray(list)) throw problem(option, `must be a list of definitions; given: ${shown(list)}`)
  const places = new Map<unknown, string>()
  for (const [index, definition] of list.entries()) {
    const place = `${option}[${index}]`
    if (!isJson(definition) || Object.keys(definition).length === 0) {
      const needed = 'must be a definition, such as the result of defineApi({ id, target })'
      throw problem(place, `${needed}; given: ${shown(definition)}`)
    }
    const { api_id: id } = definition
    if (typeof id !== 'string' || id === '') {
      throw problem(`${place}.api_id`, `must be a text that is not empty; given: ${shown(id)}`)
    }
    if (!isApiId(id)) throw problem(`${place}.api_id`, `must be ${apiIdRule}; given: ${shown(id)}`)
    const earlier = places.get(id)
    if (earlier !== undefined) {
      const message = `createGateway: ${place} has the api_id ${shown(id)} of ${earlier}; give each definition its own`
      throw new OptionError(`${place}.api_id`, message)
    }
    places.set(id, place)
  }
}

function problem(option: string, text: string): OptionError {
  return new OptionError(option, `createGateway: ${option} ${text}`)
}
