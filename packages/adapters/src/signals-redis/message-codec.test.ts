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

const refusal = (codec: MessageCodec, text: string) => {
  const read = codec.parse(text)
  return 'refused' in read ? read.refused : undefined
}

describe('messages of the cluster', () => {
  it.each(vectors)(
    'are written and read as recorded: $command',
    ({ command, payload, message, node_secret: secret }) => {
      const codec = makeMessageCodec({ secret })
      expect(codec.print({ command, payload })).toBe(message)
      expect(codec.parse(message)).toEqual({ command, payload })
      expect(refusal(makeMessageCodec({ secret: 'another' }), message)).toBe('its signature is wrong')
      expect(refusal(makeMessageCodec({ secret: 'another', acceptsAll: true }), message)).toBeUndefined()
    },
  )

  it.each(['', '{', 'null', '7', '[]', '{"command":1,"payload":""}', '{"command":"GroupReload"}'])(
    'that are none are refused: %s',
    (text) => expect(refusal(makeMessageCodec({ secret: '', acceptsAll: true }), text)).toBeDefined(),
  )

  it('a signature covers command and payload', () => {
    const codec = makeMessageCodec({ secret: 's' })
    const text = codec.print({ command: 'DeleteAPICache', payload: 'a' })
    expect(refusal(codec, text.replace('DeleteAPICache', 'GroupReload'))).toBe('its signature is wrong')
    expect(refusal(codec, text.replace('"a"', '"b"'))).toBe('its signature is wrong')
    expect(refusal(codec, text.replace(/"signature":"[^"]*"/, '"signature":7'))).toBe('its signature is wrong')
  })

  it('of a pair of keys are taken where the public key is known, and nowhere else', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = {
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
    const signing = makeMessageCodec({ secret: 's', ...pem })
    const text = signing.print({ command: 'GroupReload', payload: 'p' })
    expect(JSON.parse(text).algorithm).not.toBe(5)
    expect(signing.parse(text)).toEqual({ command: 'GroupReload', payload: 'p' })
    expect(refusal(signing, text.replace('"p"', '"q"'))).toBe('its signature is wrong')
    expect(refusal(makeMessageCodec({ secret: 's' }), text)).toContain('no public key')
    const bySecret = makeMessageCodec({ secret: 's' }).print({ command: 'GroupReload', payload: '' })
    expect(refusal(signing, bySecret)).toBeUndefined()
  })

  it('a broken key is told at the start', () => {
    expect(() => makeMessageCodec({ secret: '', publicKey: 'no key' })).toThrow()
  })
})

describe('what messages mean', () => {
  it.each(['GroupReload', 'ApiUpdated', 'ApiRemoved', 'ApiAdded', 'PolicyChanged'])('%s is a reload', (command) => {
    expect(toSignals({ command, payload: 'whatever' })).toEqual([{ kind: 'reload' }])
  })

  it('keys come joined by commas, each up to its first colon', () => {
    const names = (payload: string) =>
      toSignals({ command: 'KeySpaceUpdateNotification', payload })?.map((signal) =>
        'storedName' in signal ? signal.storedName : signal.kind,
      )
    expect(names('a')).toEqual(['a'])
    expect(names('a,b:hashed,c')).toEqual(['a', 'b', 'c', 'a,b:hashed,c'])
    expect(names('')).toEqual([])
  })

  it.each(['NoticeDashboardZeroConf', 'NoticeConfigUpdated', 'UserKeyReset'])('%s means nothing here', (command) => {
    expect(toSignals({ command, payload: '' })).toEqual([])
  })

  it('a command that nobody knows is told apart from one that means nothing', () => {
    expect(toSignals({ command: 'Whatever', payload: '' })).toBeUndefined()
  })

  it('signals that have no recorded command go by one of ours', () => {
    const signal = { kind: 'certificate-changed', id: 'org1aa' } as const
    expect(toSignals(toMessage(signal))).toEqual([signal])
    expect(toSignals({ command: toMessage(signal).command, payload: '{"kind":7}' })).toEqual([])
    expect(toSignals({ command: toMessage(signal).command, payload: 'x' })).toEqual([])
  })

  it('what is told of an organisation is the same to existing nodes as of a key', () => {
    const codec = makeMessageCodec({ secret: 's' })
    const text = codec.print(toMessage({ kind: 'org-changed', orgId: 'org1' }))
    const signature = createHash('sha256').update('KeySpaceUpdateNotificationorg1s').digest('hex')
    expect(JSON.parse(text)).toMatchObject({
      command: 'KeySpaceUpdateNotification',
      payload: 'org1',
      signature,
      algorithm: 5,
    })
    const read = codec.parse(text)
    expect('refused' in read ? read : toSignals(read)).toEqual([{ kind: 'org-changed', orgId: 'org1' }])
  })
})
