/** An entry of `uptime_tests.check_list`: a URL, or an object with one. Source: docs/reference/api-definition.md#api-definition. */
import { describedValue } from '../lib/shape/free-value.ts'
import { anything, boolean, field, integer, list, map, object, type Shape, text } from '../lib/shape/shape.ts'

const uptimeCheck = {
  url: field(text, { description: 'URL that is requested; http:// if it has no scheme.' }),
  method: field(text, { description: 'Method of the request. Default: GET.' }),
  headers: field(map(text), { description: 'Headers of the request.' }),
  body: field(text, { description: 'Body of the request.' }),
  timeout: field(integer, { description: 'Time limit in nanoseconds. Default: 10 s.' }),
}

/** What the checks use. */
export const uptimeCheckShape = object(uptimeCheck)

const documentShape = object({ ...uptimeCheck, commands: list(anything), enableProxyProtocol: boolean, protocol: text })

/** Documents keep entries as they are written. */
export const uptimeCheckDocument: Shape<unknown> = describedValue(anything, {
  schema: { ...documentShape.schema, type: ['string', 'object'] },
  read: (value, path, problems) => (typeof value === 'string' ? value : documentShape.read(value, path, problems)),
})
