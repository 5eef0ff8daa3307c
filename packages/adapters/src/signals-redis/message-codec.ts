/**
 * Messages of the cluster's channel: JSON of a command, its payload and a signature over both and the secret of the
 * nodes, or one by a pair of RSA keys over the payload. Source: spec/redis-layout.md 9.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sameText } from '@turnpike/core'

export interface Message {
  readonly command: string
  readonly payload: string
  /** Says what a payload of `KeySpaceUpdateNotification` names where it is no key; existing nodes pass it over. */
  readonly about?: 'organisation'
}

export interface MessageSigning {
  /** `node_secret`; empty by default, and then everybody can sign. */
  readonly secret: string
  /** In PEM: checks messages that are signed in another way than by the secret. */
  readonly publicKey?: string
  /** In PEM: messages of this node are signed with it instead of the secret. */
  readonly privateKey?: string
  /** `allow_insecure_configs`: no signature is looked at. Default: false. */
  readonly acceptsAll?: boolean
}

export interface MessageCodec {
  print(message: Message): string
  /** The message, or why it is not taken. */
  parse(text: string): Message | { readonly refused: string }
}

/** The number of SHA-256 among the algorithms of this field. */
const sha256 = 5
/** Of signatures by a pair of keys; any other than SHA-256. */
const byKeys = 0

/** Throws when a key is none. */
export function makeMessageCodec({ secret, publicKey, privateKey, acceptsAll = false }: MessageSigning): MessageCodec {
  const verifying = publicKey === undefined ? undefined : createPublicKey(publicKey)
  const signing = privateKey === undefined ? undefined : createPrivateKey(privateKey)
  const digest = (command: string, payload: string) =>
    createHash('sha256').update(command).update(payload).update(secret).digest('hex')

  const whyNot = (command: string, payload: string, signature: string, algorithm: unknown): string | undefined => {
    if (acceptsAll) return undefined
    if (algorithm === sha256)
      return sameText(signature, digest(command, payload)) ? undefined : 'its signature is wrong'
    if (verifying === undefined) return 'it is signed in a way for which there is no public key'
    return isSigned(verifying, payload, signature) ? undefined : 'its signature is wrong'
  }

  return {
    print({ command, payload, about }) {
      const signature =
        signing === undefined
          ? digest(command, payload)
          : sign('RSA-SHA256', Buffer.from(payload), signing).toString('base64')
      const algorithm = signing === undefined ? sha256 : byKeys
      return JSON.stringify({ command, payload, signature, algorithm, ...(about === undefined ? {} : { about }) })
    },
    parse(text) {
      const read = readObject(text)
      if (read === undefined) return { refused: 'it is no JSON object' }
      const { command, payload, signature, algorithm, about } = read
      if (typeof command !== 'string' || typeof payload !== 'string') return { refused: 'it has no command or payload' }
      const refused = whyNot(command, payload, typeof signature === 'string' ? signature : '', algorithm)
      if (refused !== undefined) return { refused }
      return { command, payload, ...(about === 'organisation' ? { about } : {}) }
    },
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function isSigned(key: KeyObject, payload: string, signature: string): boolean {
  try {
    return verify('RSA-SHA256', Buffer.from(payload), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
