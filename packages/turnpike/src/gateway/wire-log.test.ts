import { makeMemoryLog } from '@turnpike/testkit'
import { expect, it, vi } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'

const broken = defineApi({
  id: 'broken',
  target: 'http://a',
  more: { proxy: { listen_path: '/b/', target_url: 'http://a b' } },
})

it('a gateway without a log reports only what it leaves out', async () => {
  const written: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const gateway = await createGateway({
    definitions: () => [broken, defineApi({ id: 'good', target: 'http://127.0.0.1:1' })],
  })
  await expect
    .poll(() => written.join(''))
    .toMatch(/level=error msg="a definition cannot be loaded".*proxy\.target_url/)
  await gateway.close(0)
  spy.mockRestore()
  expect(written.join('').trim().split('\n')).toHaveLength(1)
})

it('is silent when asked to, and uses the log it is given', async () => {
  const log = makeMemoryLog()
  await (await createGateway({ definitions: () => [broken], log })).close(0)
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  const spy = vi.spyOn(process.stderr, 'write')
  await (await createGateway({ definitions: () => [broken], log: 'silent' })).close(0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(spy).not.toHaveBeenCalled()
  spy.mockRestore()
})

it('many gateways in one process leave no listeners behind', async () => {
  const count = () => ['exit', 'SIGTERM', 'SIGINT', 'warning'].map((event) => process.listenerCount(event))
  await (await createGateway()).close(0)
  const before = count()
  for (let i = 0; i < 30; i++) await (await createGateway()).close(0)
  expect(count()).toEqual(before)
})
