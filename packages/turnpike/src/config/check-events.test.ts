import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from './load-config.ts'

it('reports event handlers that cannot work, and the gateway still starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const hook = { handler_name: 'eh_web_hook_handler', handler_meta: { target_path: 7 } }
  const config = {
    secret: 'a key',
    event_handlers: { events: { TokenCreate: [], TokenDeleted: [hook] } },
    monitor: { enable_trigger_monitors: true, configuration: {} },
  }
  const file = join(folder, 'gateway.json')
  writeFileSync(file, JSON.stringify(config, null, 2))
  const { findings, usable } = loadConfig({ file, environment: {}, cwd: folder })
  expect(usable).toBe(true)
  const told = findings.filter(({ field }) => /^(event_handlers|monitor)/.test(field))
  expect(told.map(({ severity, field, line }) => [severity, field, line !== undefined])).toEqual([
    ['warning', 'event_handlers.events.TokenDeleted[0].handler_meta.target_path', true],
    ['warning', 'event_handlers.events.TokenCreate', true],
    ['warning', 'monitor.configuration.target_path', true],
  ])
})
