/** The base64 helpers of scripts: texts are encoded as UTF-8. */

const alphabet = /^[A-Za-z0-9+/]*$/

export const base64Helpers: Readonly<Record<string, (text: string) => string | undefined>> = {
  b64enc: (text) => Buffer.from(text, 'utf8').toString('base64'),
  rawb64enc: (text) =>
    Buffer.from(text, 'utf8')
      .toString('base64')
      .replace(/(?<!=)=+$/, ''),
  b64dec: (text) => decode(withoutPadding(text.replace(/[\r\n]/g, ''))),
  rawb64dec: (text) => decode(text.replace(/[\r\n]/g, '')),
}

/** Removes padding; `undefined`: the padding is wrong. */
function withoutPadding(text: string): string | undefined {
  const bare = text.replace(/={1,2}$/, '')
  return bare === text || text.length % 4 === 0 ? bare : undefined
}

function decode(bare: string | undefined): string | undefined {
  if (bare === undefined || bare.length % 4 === 1 || !alphabet.test(bare)) return undefined
  return Buffer.from(bare, 'base64').toString('utf8')
}
