/** Converts OpenAPI 2.0 (Swagger) to OpenAPI 3.0. The converter is loaded with the first such document. */
import { isJson, type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'

export type ConvertedSwagger = { readonly document: Json; readonly problem?: undefined } | { readonly problem: string }

export async function convertSwagger(given: Json): Promise<ConvertedSwagger> {
  if (given['swagger'] !== '2.0') {
    return { problem: `is Swagger ${String(given['swagger'])}; only OpenAPI 2.0 and 3 can be converted` }
  }
  const { upgradeFromTwoToThree } = await import('@scalar/openapi-upgrader/2.0-to-3.0')
  try {
    const converted: unknown = upgradeFromTwoToThree(prepared(structuredClone(given)))
    return isJson(converted) ? { document: converted } : { problem: 'cannot be converted from OpenAPI 2.0' }
  } catch (cause) {
    return {
      problem: `cannot be converted from OpenAPI 2.0: ${cause instanceof Error ? cause.message : String(cause)}`,
    }
  }
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/**
 * What the converter leaves as it is: references to shared body and form parameters, which OpenAPI 3 does not have,
 * body parameters of whole paths, discriminators that are texts, and `x-nullable`.
 */
function prepared(document: Json): Json {
  const paths = Object.entries(objectOf(document['paths'])).map(([path, item]) => [path, withOwnBodies(document, item)])
  return objectOf(withPlainSchemas({ ...document, paths: Object.fromEntries(paths) }))
}

function withOwnBodies(document: Json, item: unknown): unknown {
  if (!isJson(item)) return item
  const isBody = (parameter: unknown) => ['body', 'formData'].includes(textOf(memberOf(parameter, 'in')))
  const resolved = listOf(item['parameters']).map((parameter) => sharedBody(document, parameter))
  const shared = resolved.filter(isBody)
  const members = Object.entries(item).map(([name, operation]) => {
    if (name === 'parameters') return [name, resolved.filter((parameter) => !isBody(parameter))]
    if (!methods.includes(name) || !isJson(operation)) return [name, operation]
    const own = listOf(operation['parameters']).map((parameter) => sharedBody(document, parameter))
    const inherited = own.some(isBody) ? [] : shared
    return [
      name,
      own.length + inherited.length === 0 ? operation : { ...operation, parameters: [...own, ...inherited] },
    ]
  })
  return Object.fromEntries(members)
}

/** The shared parameter that a reference names, if it is a body or a part of a form. */
function sharedBody(document: Json, parameter: unknown): unknown {
  const name = /^#\/parameters\/(.+)$/.exec(textOf(memberOf(parameter, '$ref')))?.[1]
  if (name === undefined) return parameter
  const named = memberOf(document, 'parameters', name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return ['body', 'formData'].includes(textOf(memberOf(named, 'in'))) ? named : parameter
}

function withPlainSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainSchemas)
  if (!isJson(value)) return value
  const { 'x-nullable': nullable, ...members } = value
  const entries = Object.entries(members).map(([name, member]) => {
    const isText = name === 'discriminator' && typeof member === 'string'
    return [name, isText ? { propertyName: member } : withPlainSchemas(member)]
  })
  return { ...Object.fromEntries(entries), ...(nullable === true ? { nullable: true } : {}) }
}
