import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import type { ByteSink, ByteStream } from '../../http/byte-stream.ts'
import { DetailCapture } from './detail-capture.ts'

const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 })
const ends = fc.constantFrom('end', 'fail', 'cancel')

test.prop([chunks, fc.nat(200), ends])('forwards a body unchanged and captures its beginning', (given, limit, how) => {
  const log: string[] = []
  const source: ByteStream = {
    pipe(sink: ByteSink) {
      for (const chunk of given) if (!sink.data(chunk)) log.push('paused')
      if (how === 'end') sink.end()
      else if (how === 'fail') sink.fail(new Error('broke off'))
    },
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    cancel: () => log.push('cancel'),
  }
  const passed: number[] = []
  let over = 0
  const capture = new DetailCapture(source, limit, () => over++)
  capture.pipe({
    data(chunk) {
      passed.push(...chunk)
      return chunk.length % 2 === 0
    },
    end: () => log.push('ended'),
    fail: () => log.push('failed'),
  })
  if (how === 'cancel') capture.cancel()

  const whole = given.flatMap((chunk) => [...chunk])
  expect(passed).toEqual(whole)
  expect([...capture.bytes()]).toEqual(whole.slice(0, limit))
  expect([...capture.bytes()]).toEqual(whole.slice(0, limit))
  expect(over).toBe(1)
  expect(log.filter((entry) => entry === 'paused')).toHaveLength(given.filter(({ length }) => length % 2 === 1).length)
  expect(log.at(-1)).toBe({ end: 'ended', fail: 'failed', cancel: 'cancel' }[how as 'end'])
})
