import { expect, it } from 'vitest'
import { formatFinding } from '../config/finding.ts'
import { checkDefinitions } from './check-definitions.ts'

const api = (id: string, org: string, listenPath: string) => ({
  file: `apps/${id}.json`,
  problem: undefined,
  text: JSON.stringify({
    name: id,
    api_id: id,
    org_id: org,
    use_keyless: true,
    active: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: listenPath, target_url: 'http://up.test' },
  }),
})

async function check(sharedPaths: boolean, ...files: ReturnType<typeof api>[]): Promise<string[]> {
  const { findings } = await checkDefinitions(files, { readTemplate: () => undefined, sharedPaths })
  return findings.map((one) => formatFinding(one).replace(/json:\d+:\d+/, 'json'))
}

it('an API inside the listen path of another organisation is found', async () => {
  const files = [api('a', 'x', '/a/'), api('b', 'y', '/a/b/'), api('c', 'x', '/a/c/'), api('d', '', '/a/d/')]
  expect(await check(false, ...files)).toEqual([
    'apps/b.json  warning  proxy.listen_path: is "/a/b/", which takes requests of the API "a" of organisation "x" (separate the organisations, or set dashboard.shared_paths) [api-of-other-organisation]',
  ])
  expect(await check(true, ...files)).toEqual([])
})
