/**
 * The model of the pipeline for property 16: what can end a request, in the order of the stages, and which counters each
 * stage charges. It is written from docs/reference/request-pipeline.md#step-order and
 * docs/differences.md#request-pipeline, not from the code under test.
 */

/** Conditions that end a request, each with its response, in the order of the stages. */
export const obstacles = [
  {
    name: 'the organisation is switched off',
    answer: '403 this organisation access has been disabled, please contact your API administrator',
  },
  { name: 'the API has expired', answer: '403 API has expired, please check documentation or contact administrator' },
  { name: 'a mock answers', answer: '200 mocked' },
  { name: 'the path is blocked', answer: '403 Requested endpoint is forbidden' },
  { name: 'the address is not allowed', answer: '403 access from this IP has been disallowed' },
  {
    name: 'the rate of the organisation is used up',
    answer: '403 This organisation rate limit has been exceeded, please contact your API administrator',
  },
  {
    name: 'the quota of the organisation is used up',
    answer: '403 This organisation quota has been exceeded, please contact your API administrator',
  },
  { name: 'the body is too large', answer: '400 Request is too large' },
  { name: 'there is no key', answer: '401 Authorization field missing' },
  { name: 'the key is inactive', answer: '403 Key is inactive, please renew' },
  { name: 'the key has expired', answer: '401 Key has expired, please renew' },
  { name: 'the key does not open the API', answer: '403 Access to this API has been disallowed' },
  { name: 'the key does not open the path', answer: '403 Access to this resource has been disallowed' },
  { name: 'the rate of the key is used up', answer: '429 Rate Limit Exceeded' },
  { name: 'the quota of the key is used up', answer: '403 Quota exceeded' },
  { name: 'the rate of the API is used up', answer: '429 API Rate Limit Exceeded' },
  { name: 'the body breaks its schema', answer: '422 (root): name is required' },
  { name: 'the method cannot be changed', answer: '405 Method not allowed' },
  { name: 'the answer is cached', answer: '200 cached' },
  { name: 'the upstream is down', answer: '500 There was a problem proxying the request' },
] as const

export type Obstacle = (typeof obstacles)[number]['name']

/** The response to a request that nothing ends early. */
export const unobstructedResponse = '200 upstream'

/**
 * The counters, each with its position in the pipeline. A request that passes this obstacle has been charged, even if
 * a later stage rejects it. A request that the obstacle itself rejects has been charged only if `evenWhenUsedUp` is
 * true.
 */
export const charges = [
  { counter: 'rate of the organisation', at: 'the rate of the organisation is used up', evenWhenUsedUp: false },
  { counter: 'quota of the organisation', at: 'the quota of the organisation is used up', evenWhenUsedUp: true },
  { counter: 'rate of the key', at: 'the rate of the key is used up', evenWhenUsedUp: false },
  { counter: 'quota of the key', at: 'the quota of the key is used up', evenWhenUsedUp: true },
  { counter: 'rate of the API', at: 'the rate of the API is used up', evenWhenUsedUp: false },
] as const satisfies readonly { counter: string; at: Obstacle; evenWhenUsedUp: boolean }[]

export type Counter = (typeof charges)[number]['counter']

/** Reads of the store, each with its position. A request that ends earlier must not cause them. */
export const reads = [
  { what: 'reads of the key', at: 'there is no key' },
  { what: 'reads of the cache', at: 'the answer is cached' },
  { what: 'calls of the upstream', at: 'the upstream is down' },
] as const satisfies readonly { what: string; at: Obstacle }[]

export type Read = (typeof reads)[number]['what']

/** Returns the position of an obstacle in the order. */
export function placeOf(obstacle: Obstacle): number {
  return obstacles.findIndex(({ name }) => name === obstacle)
}
