/** Profiles by the inspector of Node. It samples, so the profiles contain names of functions and no data. */
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Profiler } from '@turnpike/mgmt-api'

/** Starts to sample allocations: a heap profile shows those made since then. */
export function makeProfiler(): Profiler {
  const session = new Session()
  session.connect()
  const sampling = session.post('HeapProfiler.startSampling')
  let last: Promise<unknown> = Promise.resolve()
  return {
    async heap() {
      await sampling
      const { profile } = await session.post('HeapProfiler.getSamplingProfile')
      return JSON.stringify(profile)
    },
    cpu(seconds) {
      const taken = last.then(() => takeCpuProfile(session, seconds))
      last = taken.catch(() => undefined)
      return taken
    },
  }
}

async function takeCpuProfile(session: Session, seconds: number): Promise<string> {
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  await sleep(seconds * 1000)
  const { profile } = await session.post('Profiler.stop')
  await session.post('Profiler.disable')
  return JSON.stringify(profile)
}
