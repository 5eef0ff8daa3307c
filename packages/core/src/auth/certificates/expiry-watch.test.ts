import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import type { GatewayEvent } from '../../observability/events/event.ts'
import { silentLog } from '../../ports/log.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import { makeExpiryWatch } from './expiry-watch.ts'

const day = 86_400_000
const hour = 3_600_000

function makeWatched(notAfter: number) {
  const clock = makeManualClock(0)
  const { records } = makeMemoryStore({ clock })
  const fired: GatewayEvent[] = []
  const make = () =>
    makeExpiryWatch({
      clock,
      records,
      log: silentLog,
      events: { hasHandler: () => true, fire: (event) => void fired.push(event), monitor: undefined },
      uses: () => [
        { name: 'org1abc', role: 'client', api: undefined },
        { name: 'gone', role: 'server', api: undefined },
      ],
      details: (name) =>
        name === 'gone'
          ? undefined
          : {
              subject: [{ type: 'CN', value: 'a.test' }],
              issuer: [],
              notBefore: 0,
              notAfter,
              dnsNames: [],
              isCa: false,
            },
      warningMs: 30 * day,
      checkEveryMs: hour,
      reportEveryMs: day,
    })
  return { clock, fired, make }
}

describe('a certificate that is about to expire', () => {
  it('is reported from 30 days before its expiry, once a day, by one node', async () => {
    const { clock, fired, make } = makeWatched(31 * day)
    make()
    make()
    await clock.run(day - 1)
    expect(fired).toEqual([])
    await clock.run(hour)
    expect(fired).toMatchObject([
      {
        name: 'CertificateExpiringSoon',
        facts: {
          message: 'Certificate a.test is expiring in 30 days',
          certificateId: 'org1abc',
          certificateName: 'a.test',
          days: 30,
          role: 'client',
        },
      },
    ])
    await clock.run(day)
    expect(fired.map(({ name }) => name)).toEqual(['CertificateExpiringSoon', 'CertificateExpiringSoon'])
  })

  it('is reported as expired after its expiry', async () => {
    const { clock, fired, make } = makeWatched(-3 * day)
    const watch = make()
    await watch.check()
    expect(fired).toMatchObject([{ name: 'CertificateExpired', facts: { days: 3 } }])
    watch.stop()
    await clock.run(5 * day)
    expect(fired).toHaveLength(1)
  })
})
