/** An entry of `uptime_tests.check_list`: a URL, or an object with one. Source: docs/reference/api-definition.md#api-definition. */
import { describedValue } from '../lib/shape/free-value.ts'
import { anything, boolean, described, integer, list, map, object, type Shape, text } from '../lib/shape/shape.ts'

const uptimeCheck = {
  url: described('URL that is requested; http:// if it has no scheme.', text),
  method: described('Method of the request. Default: GET.', text),
  headers: described('Headers of the request.', map(text)),
  body: described('Body of the request.', text),
  timeout: described('Time limit in nanoseconds. Default: 10 s.', integer),
}

/** What the checks use. */
export const uptimeCheckShape = object(uptimeCheck)

const documentShape = object({ ...uptimeCheck, commands: list(anything), enableProxyProtocol: boolean, protocol: text })

/** Documents keep entries as they are written. */
export const uptimeCheckDocument: Shape<unknown> = describedValue(anything, {
  schema: { ...documentShape.schema, type: ['string', 'object'] },
  read: (value, path, problems) => (typeof value === 'string' ? value : documentShape.read(value, path, problems)),
})
