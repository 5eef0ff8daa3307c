/**
 * Encodes, signs and verifies cluster messages. A message is JSON with a command, a payload and a signature: a SHA-256
 * hash of command, payload and node secret, or an RSA signature of the payload. Source:
 * docs/reference/cluster-messages.md#message-format.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { parseJsonObject, sameText } from '@turnpike/core/lib'

export interface Message {
  readonly command: string
  readonly payload: string
  /** The payload of `KeySpaceUpdateNotification` is an organisation id, not a key. Existing nodes ignore this field. */
  readonly about?: 'organisation'
}

export interface MessageSigning {
  /** `node_secret`. If it is empty, anyone with access to Redis can sign messages. */
  readonly secret: string
  /** PEM of the key that verifies RSA signatures. */
  readonly publicKey?: string
  /** PEM of the key that signs the messages of this node, instead of the secret. */
  readonly privateKey?: string
  /** `allow_insecure_configs`: signatures are not verified. Default: false. */
  readonly acceptsAll?: boolean
}

export interface MessageCodec {
  /** Returns the signed message as JSON. */
  print(message: Message): string
  /** Returns the message, or the reason why it is invalid. */
  parse(text: string): Message | { readonly invalid: string }
}

/** Value of `algorithm` for a SHA-256 hash with the secret. */
const sha256 = 5
/** Value of `algorithm` that this node sends with an RSA signature; receivers accept any value except 5. */
const rsa = 0

/** Makes a codec. Throws if a key is not valid PEM. */
export function makeMessageCodec({ secret, publicKey, privateKey, acceptsAll = false }: MessageSigning): MessageCodec {
  const verifying = publicKey === undefined ? undefined : createPublicKey(publicKey)
  const signing = privateKey === undefined ? undefined : createPrivateKey(privateKey)
  const digest = (command: string, payload: string) =>
    createHash('sha256').update(command).update(payload).update(secret).digest('hex')

  const signatureProblem = (
    command: string,
    payload: string,
    signature: string,
    algorithm: unknown,
  ): string | undefined => {
    if (acceptsAll) return undefined
    if (algorithm === sha256)
      return sameText(signature, digest(command, payload)) ? undefined : 'its signature is wrong'
    if (verifying === undefined) return 'it has an RSA signature, but no public key is configured'
    return isValidSignature(verifying, payload, signature) ? undefined : 'its signature is wrong'
  }

  return {
    print({ command, payload, about }) {
      const signature =
        signing === undefined
          ? digest(command, payload)
          : sign('RSA-SHA256', Buffer.from(payload), signing).toString('base64')
      const algorithm = signing === undefined ? sha256 : rsa
      return JSON.stringify({ command, payload, signature, algorithm, ...(about === undefined ? {} : { about }) })
    },
    parse(text) {
      const read = parseJsonObject(text)
      if (read === undefined) return { invalid: 'it is not a JSON object' }
      const { command, payload, signature, algorithm, about } = read
      if (typeof command !== 'string' || typeof payload !== 'string') return { invalid: 'it has no command or payload' }
      const invalid = signatureProblem(command, payload, typeof signature === 'string' ? signature : '', algorithm)
      if (invalid !== undefined) return { invalid }
      return { command, payload, ...(about === 'organisation' ? { about } : {}) }
    },
  }
}

function isValidSignature(key: KeyObject, payload: string, signature: string): boolean {
  try {
    return verify('RSA-SHA256', Buffer.from(payload), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
