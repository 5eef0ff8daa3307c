/** Checks lists of definitions that a program passes: each is an object, and the ids are unique. */
import { isJson } from '@turnpike/core'
import { OptionError, shown } from './option-error.ts'

/** `option`: where the list comes from, `definitions` or `definitions()`. Throws an `OptionError`. */
export function checkDefinitionList(list: unknown, option: string): void {
  if (!Array.isArray(list)) {
    throw new OptionError(option, `createGateway: ${option} must be a list of definitions; given: ${shown(list)}`)
  }
  const places = new Map<unknown, string>()
  for (const [index, definition] of list.entries()) {
    const place = `${option}[${index}]`
    if (!isJson(definition) || Object.keys(definition).length === 0) {
      throw new OptionError(
        place,
        `createGateway: ${place} must be a definition, such as the result of defineApi({ id, target }); given: ${shown(definition)}`,
      )
    }
    const { api_id: id } = definition
    if (typeof id !== 'string' || id === '') {
      throw new OptionError(
        `${place}.api_id`,
        `createGateway: ${place}.api_id must be a text that is not empty; given: ${shown(id)}`,
      )
    }
    const earlier = places.get(id)
    if (earlier !== undefined) {
      throw new OptionError(
        `${place}.api_id`,
        `createGateway: ${place} has the api_id ${shown(id)} of ${earlier}; give each definition its own`,
      )
    }
    places.set(id, place)
  }
}
