import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type MessageCodec, makeMessageCodec } from './message-codec.ts'
import { toMessage, toSignals } from './signal-message.ts'

const layout = JSON.parse(readFileSync(new URL('../../../../fixtures/redis/layout.json', import.meta.url), 'utf8'))
const vectors = layout.notifications.vectors as {
  command: string
  payload: string
  message: string
  node_secret: string
}[]

const problemOf = (codec: MessageCodec, text: string) => {
  const parsed = codec.parse(text)
  return 'invalid' in parsed ? parsed.invalid : undefined
}

describe('cluster messages', () => {
  it.each(vectors)('have the recorded format: $command', ({ command, payload, message, node_secret: secret }) => {
    const codec = makeMessageCodec({ secret })
    expect(codec.print({ command, payload })).toBe(message)
    expect(codec.parse(message)).toEqual({ command, payload })
    expect(problemOf(makeMessageCodec({ secret: 'another' }), message)).toBe('its signature is wrong')
    expect(problemOf(makeMessageCodec({ secret: 'another', acceptsAll: true }), message)).toBeUndefined()
  })

  it.each(['', '{', 'null', '7', '[]', '{"command":1,"payload":""}', '{"command":"GroupReload"}'])(
    'are rejected if they are invalid: %s',
    (text) => expect(problemOf(makeMessageCodec({ secret: '', acceptsAll: true }), text)).toBeDefined(),
  )

  it('have a signature of command and payload', () => {
    const codec = makeMessageCodec({ secret: 's' })
    const text = codec.print({ command: 'DeleteAPICache', payload: 'a' })
    expect(problemOf(codec, text.replace('DeleteAPICache', 'GroupReload'))).toBe('its signature is wrong')
    expect(problemOf(codec, text.replace('"a"', '"b"'))).toBe('its signature is wrong')
    expect(problemOf(codec, text.replace(/"signature":"[^"]*"/, '"signature":7'))).toBe('its signature is wrong')
  })

  it('with an RSA signature are accepted only with the public key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = {
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
    const signing = makeMessageCodec({ secret: 's', ...pem })
    const text = signing.print({ command: 'GroupReload', payload: 'p' })
    expect(JSON.parse(text).algorithm).not.toBe(5)
    expect(signing.parse(text)).toEqual({ command: 'GroupReload', payload: 'p' })
    expect(problemOf(signing, text.replace('"p"', '"q"'))).toBe('its signature is wrong')
    expect(problemOf(makeMessageCodec({ secret: 's' }), text)).toContain('no public key')
    const bySecret = makeMessageCodec({ secret: 's' }).print({ command: 'GroupReload', payload: '' })
    expect(problemOf(signing, bySecret)).toBeUndefined()
  })

  it('makeMessageCodec throws for an invalid key', () => {
    expect(() => makeMessageCodec({ secret: '', publicKey: 'no key' })).toThrow()
  })
})

describe('signals of messages', () => {
  it.each(['GroupReload', 'ApiUpdated', 'ApiRemoved', 'ApiAdded', 'PolicyChanged'])('%s is a reload', (command) => {
    expect(toSignals({ command, payload: 'ignored' })).toEqual([{ kind: 'reload' }])
  })

  it('keys are separated by commas and end at the first colon', () => {
    const names = (payload: string) =>
      toSignals({ command: 'KeySpaceUpdateNotification', payload })?.map((signal) =>
        'storedName' in signal ? signal.storedName : signal.kind,
      )
    expect(names('a')).toEqual(['a'])
    expect(names('a,b:hashed,c')).toEqual(['a', 'b', 'c', 'a,b:hashed,c'])
    expect(names('')).toEqual([])
  })

  it.each(['NoticeDashboardZeroConf', 'NoticeConfigUpdated', 'UserKeyReset'])('%s is ignored', (command) => {
    expect(toSignals({ command, payload: '' })).toEqual([])
  })

  it('an unknown command is not the same as an ignored one', () => {
    expect(toSignals({ command: 'Unknown', payload: '' })).toBeUndefined()
  })

  it('signals without a recorded command use the command TurnpikeSignal', () => {
    const signal = { kind: 'certificate-changed', id: 'org1aa' } as const
    expect(toSignals(toMessage(signal))).toEqual([signal])
    expect(toSignals({ command: toMessage(signal).command, payload: '{"kind":7}' })).toEqual([])
    expect(toSignals({ command: toMessage(signal).command, payload: 'x' })).toEqual([])
  })

  it.each([
    '{"kind":"gap"}',
    '{"kind":"key-changed","storedName":{"toString":"x"}}',
    '{"kind":"certificate-changed","id":7}',
    '{"kind":"certificate-changed"}',
    '{"__proto__":{"kind":"certificate-changed","id":"a"}}',
    'null',
    '7',
  ])('a TurnpikeSignal with other kinds or types of fields has no effect: %s', (payload) => {
    expect(toSignals({ command: 'TurnpikeSignal', payload })).toEqual([])
  })

  it('a TurnpikeSignal has its known fields only', () => {
    const payload = '{"kind":"certificate-changed","id":"a","__proto__":{"polluted":1},"extra":2}'
    const [signal] = toSignals({ command: 'TurnpikeSignal', payload }) ?? []
    expect(Object.keys(signal ?? {})).toEqual(['kind', 'id'])
    expect(Object.getPrototypeOf(signal)).toBe(Object.prototype)
  })

  it('a changed organisation has the format of a changed key for existing nodes', () => {
    const codec = makeMessageCodec({ secret: 's' })
    const text = codec.print(toMessage({ kind: 'org-changed', orgId: 'org1' }))
    const signature = createHash('sha256').update('KeySpaceUpdateNotificationorg1s').digest('hex')
    expect(JSON.parse(text)).toMatchObject({
      command: 'KeySpaceUpdateNotification',
      payload: 'org1',
      signature,
      algorithm: 5,
    })
    const parsed = codec.parse(text)
    expect('invalid' in parsed ? parsed : toSignals(parsed)).toEqual([{ kind: 'org-changed', orgId: 'org1' }])
  })
})
