/** Definitions that get a value of a wrong type while they serve: each keeps its last good version and is reported. */
import { classicShape } from '@turnpike/core/definition'
import { printJsonPath } from '@turnpike/core/lib'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder, openApi } from './support/folder.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'
import { faultsOf, withFault } from './support/wrong-types.ts'

interface Report {
  readonly failed: readonly { readonly source: string; readonly reason: string; readonly kept_old: boolean }[]
}

it('an API keeps its last good version, whichever field has a wrong type', async () => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder()
  onTestFinished(async () => {
    folder.remove()
    await upstream.close()
  })
  // Every twelfth field of a long list: near each kind of feature there is one.
  const faults = faultsOf(classicShape.schema)
    .filter(({ isKept }) => !isKept)
    .filter((_, i) => i % 12 === 0)
  const apis = faults.map((fault, i) => ({ id: `f${i}`, fault }))
  for (const { id } of apis) folder.write(`apps/${id}.json`, openApi(id, upstream.url))
  const gateway = await startForTest(folder)
  const statuses = () => Promise.all(apis.map(async ({ id }) => (await fetch(`${gateway.url}/${id}/x`)).status))
  expect(new Set(await statuses())).toEqual(new Set([200]))

  for (const { id, fault } of apis) folder.write(`apps/${id}.json`, withFault(openApi(id, upstream.url), fault))
  expect((await gateway.manage('GET', '/svc/reload?block=true')).status).toBe(200)
  const { failed } = (await gateway.manage('GET', '/svc/reload/report')).body as Report
  for (const { id, fault } of apis) {
    const field = printJsonPath(fault.path)
    const told = failed.find(({ source }) => source === `${id}.json`)
    expect([field, told?.kept_old, told?.reason.includes(field)]).toEqual([field, true, true])
  }
  expect(new Set(await statuses())).toEqual(new Set([200]))
})
