/** Schemas of JSON responses. scripts/generate.mjs generates a serialiser for each. */

const number = { type: 'number' }

const rateLimits = {
  type: 'object',
  properties: {
    quota: { type: 'object', properties: { quota_max: number, quota_remaining: number, quota_renews: number } },
    rate_limit: { type: 'object', properties: { requests: number, per_unit: number } },
  },
}

export const responseSchemas = { rateLimits }
