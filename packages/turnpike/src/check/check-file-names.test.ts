import { expect, it } from 'vitest'
import { formatFinding } from '../config/finding.ts'
import { checkDefinitions } from './check-definitions.ts'

const api = (file: string, id: string) => ({
  file: `apps/${file}`,
  problem: undefined,
  text: JSON.stringify({
    name: id,
    api_id: id,
    use_keyless: true,
    active: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: 'http://up.test' },
  }),
})

async function check(...files: ReturnType<typeof api>[]): Promise<string[]> {
  const { findings } = await checkDefinitions(files, { readTemplate: () => undefined })
  return findings.map((one) => formatFinding(one).replace(/json:\d+:\d+/, 'json'))
}

it('a file that defines another API than its name says is found where it is in the way', async () => {
  expect(await check(api('a.json', 'b'), api('c.json', 'c'))).toEqual([])
  expect(await check(api('a.json', 'b'), api('b.json', 'c'))).toEqual([
    'apps/a.json  error  api_id: is "b", but b.json defines the API "c", so this API cannot be changed (rename b.json to c.json) [file-of-another-api]',
  ])
})

it('an id that makes its file the document of another API is found', async () => {
  expect(await check(api('a.json', 'b-oas'))).toEqual([expect.stringContaining('no ending -oas or -mcp')])
})
