/** Parts that several members of the extension have. */
import { boolean, described, camelObject as group, list, number, type Shape, text } from '../../../lib/shape/shape.ts'

/** The member that switches a feature on; without it the feature is off. */
export const enabled: Shape<boolean> = described('Switches the feature on. Default: false.', boolean)

/** One of these words. */
export function words(...list: readonly string[]): Shape<string> {
  return { ...text, schema: { type: 'string', enum: list } }
}

/** A duration such as 10s or 1h30m. */
export const duration: Shape<string> = {
  ...text,
  schema: { type: 'string', pattern: '^(\\d+(\\.\\d+)?(h|ms|m|s|us|µs|ns))*$' },
}

export const switchShape = group({ enabled })

/** Where a request carries a value. */
const placeShape = group({ enabled, name: described('Name of the header, the query parameter or the cookie.', text) })

/** Where a method reads its credential. Without a place, it is the place of the security scheme. */
export const places = {
  header: described('Reads the credential from a header.', placeShape),
  query: described('Reads the credential from a query parameter.', placeShape),
  cookie: described('Reads the credential from a cookie.', placeShape),
}

export const headersShape = list(
  group({ name: described('Name of the header.', text), value: described('Value of the header.', text) }),
)

export const headerRulesShape = group({
  enabled,
  add: described('Headers to set; variables such as $svc_meta.NAME are replaced.', headersShape),
  remove: described('Names of headers to remove.', list(text)),
})

/** `per` is a duration. */
export const rateShape = group({
  enabled,
  rate: described('Number of requests in the period.', number),
  per: described('Length of the period as a duration, such as 10s or 1h30m.', duration),
})
