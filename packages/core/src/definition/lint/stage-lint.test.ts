import { expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'

it('custom stages of a definition are a warning with their place, because only a program can load it', () => {
  const text = JSON.stringify({
    name: 'a',
    api_id: 'a',
    active: true,
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:1/' },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    stages: { tenant: {} },
  })
  const found = lintDefinition(text).filter(({ field }) => field.startsWith('stages.'))
  expect(found).toMatchObject([
    {
      severity: 'warning',
      field: 'stages.tenant',
      line: 1,
      reason: expect.stringContaining('createGateway({ stages })'),
    },
  ])
})
