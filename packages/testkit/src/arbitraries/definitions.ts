/**
 * Generates valid API definitions and policies that a gateway must load. They have few distinct names, random features
 * and nested listen paths. Invalid definitions are covered by the tests of `turnpike check`.
 */
import fc from 'fast-check'
import type { WireObject } from './sessions.ts'

/** Some of these listen paths contain others. Each definition of a set uses a different one. */
const listenPaths = ['/a/', '/a/b/', '/ab/', '/c/', '/c/{id}/d/'] as const

const paths = fc.constantFrom('/x', '/x/{id}', '/y', '/x/y/z')
const methods = fc.constantFrom('GET', 'POST', 'DELETE')
const onPath = (more: Record<string, fc.Arbitrary<unknown>>) =>
  fc.array(fc.record({ path: paths, method: methods, ...more }), { maxLength: 2 })

const extendedPaths = sparse({
  white_list: onPath({ ignore_case: fc.boolean() }),
  black_list: onPath({}),
  ignored: onPath({}),
  cache: fc.subarray(['/x', '/y']),
  size_limits: onPath({ size_limit: fc.constantFrom(1, 1000) }),
  rate_limit: onPath({ rate: fc.constantFrom(1, 5), per: fc.constantFrom(1, 60) }),
  hard_timeouts: onPath({ timeout: fc.constantFrom(1, 5) }),
  method_transforms: onPath({ to_method: methods }),
  transform_headers: onPath({
    add_headers: fc.dictionary(fc.constantFrom('X-A', 'X-B'), fc.constantFrom('1', 'two'), { maxKeys: 2 }),
    delete_headers: fc.subarray(['X-A', 'X-C']),
  }),
})

const version = fc
  .record({ useExtended: fc.boolean(), extended: extendedPaths, expires: fc.constantFrom('', '2099-01-02 15:04') })
  .map(({ useExtended, extended, expires }) => ({
    use_extended_paths: useExtended,
    extended_paths: extended,
    expires,
  }))

const versioning: fc.Arbitrary<WireObject> = fc.oneof(
  version.map((only) => ({
    version_data: { not_versioned: true, versions: { Default: { name: 'Default', ...only } } },
  })),
  fc
    .record({ first: version, second: version, location: fc.constantFrom('header', 'url-param', 'url') })
    .map(({ first, second, location }) => ({
      definition: { location, key: 'x-version' },
      version_data: {
        not_versioned: false,
        default_version: 'v1',
        versions: { v1: { name: 'v1', ...first }, v2: { name: 'v2', ...second } },
      },
    })),
)

const authentication: fc.Arbitrary<WireObject> = fc.constantFrom(
  { use_keyless: true },
  { use_keyless: false, use_standard_auth: true, auth: { auth_header_name: 'Authorization' } },
  {
    use_keyless: false,
    use_standard_auth: true,
    auth: { auth_header_name: 'X-Key', use_param: true, param_name: 'key' },
  },
  { use_keyless: false, use_basic_auth: true, auth: { auth_header_name: 'Authorization' } },
)

const features = sparse({
  global_rate_limit: fc.record({ rate: fc.constantFrom(1, 3, 100), per: fc.constantFrom(1, 60) }),
  disable_rate_limit: fc.boolean(),
  disable_quota: fc.boolean(),
  cache_options: sparse({
    enable_cache: fc.boolean(),
    cache_timeout: fc.constantFrom(1, 60),
    cache_all_safe_requests: fc.boolean(),
  }),
  CORS: sparse({ enable: fc.boolean(), allowed_origins: fc.subarray(['*', 'https://a.test']) }),
  enable_batch_request_support: fc.boolean(),
  strip_auth_data: fc.boolean(),
  tags: fc.subarray(['a', 'b']),
  domain: fc.constantFrom('', 'api.test'),
})

/** Generates sets of valid definitions with distinct ids and listen paths. */
export const definitionSets: fc.Arbitrary<(WireObject & { api_id: string })[]> = fc
  .tuple(
    fc.shuffledSubarray([...listenPaths], { minLength: 1 }),
    fc.array(fc.tuple(versioning, authentication, features, fc.boolean(), fc.constantFrom('org1', 'org2')), {
      minLength: listenPaths.length,
      maxLength: listenPaths.length,
    }),
  )
  .map(([listen, drawn]) =>
    listen.map((listenPath, i) => {
      const [versions, auth, more, strips, orgId] = drawn[i] ?? [{}, {}, {}, true, 'org1']
      const id = `api${i + 1}`
      return {
        name: id,
        api_id: id,
        org_id: orgId,
        active: true,
        ...versions,
        ...auth,
        ...more,
        proxy: { listen_path: listenPath, target_url: `http://${id}.upstream.test/base`, strip_listen_path: strips },
      }
    }),
  )

const allowance = sparse({
  rate: fc.constantFrom(1, 5, 100),
  per: fc.constantFrom(1, 60),
  quota_max: fc.constantFrom(-1, 1, 1000),
  quota_renewal_rate: fc.constantFrom(60, 3600),
})

/** Generates the policies of a policy file by id. They grant access only to the given definitions. */
export function policyFiles(
  definitions: readonly (WireObject & { readonly api_id: string })[],
): fc.Arbitrary<Readonly<Record<string, WireObject>>> {
  const orgs = [...new Set(definitions.map((definition) => String(definition['org_id'])))]
  const policy = fc
    .record({
      org: fc.constantFrom(...orgs),
      own: allowance,
      rights: fc.shuffledSubarray([...definitions]),
      each: allowance,
      partitions: sparse({ quota: fc.boolean(), rate_limit: fc.boolean(), acl: fc.boolean() }),
    })
    .map(({ org, own, rights, each, partitions }) => ({
      org_id: org,
      active: true,
      ...own,
      partitions,
      access_rights: Object.fromEntries(
        rights.map(({ api_id: id }, i) => [
          id,
          { api_id: id, api_name: id, versions: ['Default'], ...(i % 2 === 0 ? { limit: each } : {}) },
        ]),
      ),
    }))
  return fc
    .tuple(
      fc.shuffledSubarray(['gold', 'silver', 'free'], { minLength: 1 }),
      fc.array(policy, { minLength: 3, maxLength: 3 }),
    )
    .map(([ids, drawn]) => Object.fromEntries(ids.map((id, i) => [id, { id, ...drawn[i] }])))
}

/** Generates records with a random subset of the fields. */
function sparse(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<WireObject> {
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<WireObject>
}
