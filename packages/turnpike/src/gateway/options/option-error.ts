/** Thrown for an invalid option of `createGateway` or `defineApi`. `option`: its name, such as `store` or `definitions[1]`. */
export class OptionError extends TypeError {
  readonly option: string
  constructor(option: string, message: string) {
    super(message)
    this.name = 'OptionError'
    this.option = option
  }
}

/** Describes a value in a message, shortened and without the user information of URLs. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.replace(/\/\/[^/@]*@/, '//[secret]@')
    return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? 'an empty object' : 'an object'
  return String(value)
}
