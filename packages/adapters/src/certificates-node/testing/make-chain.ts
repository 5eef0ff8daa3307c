/** Creates certificates with openssl: a root, an intermediate that it signed, and a leaf that the intermediate signed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestCertificate } from './test-certificates.ts'

interface ChainOptions {
  /** Extensions of the root and of the intermediate. Default: authorities without limits. */
  readonly root?: string
  readonly middle?: string
  /** Days for which the intermediate is valid. Default: 36500. */
  readonly middleDays?: string
  /** Extensions of the leaf. Default: no authority. */
  readonly leaf?: string
}

type Chain = Record<'root' | 'middle' | 'leaf', TestCertificate>

const isLeaf = 'basicConstraints=CA:FALSE'
const isAuthority = 'basicConstraints=critical,CA:TRUE'
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

export function makeChain(options: ChainOptions): Chain {
  const { root = isAuthority, middle = isAuthority, middleDays = '36500', leaf = isLeaf } = options
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-chain-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const sign = (name: string, issuer: string, days: string, extensions: string) => {
    openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`))
    writeFileSync(file(`${name}.ext`), extensions)
    const by =
      issuer === name
        ? ['-signkey', file(`${name}.key`)]
        : ['-CA', file(`${issuer}.crt`), '-CAkey', file(`${issuer}.key`), '-CAcreateserial']
    const request = ['-in', file(`${name}.csr`), '-extfile', file(`${name}.ext`), '-out', file(`${name}.crt`)]
    openssl('x509', '-req', ...request, ...by, '-days', days)
    return { cert: readFileSync(file(`${name}.crt`), 'utf8'), key: readFileSync(file(`${name}.key`), 'utf8') }
  }
  try {
    return {
      root: sign('root', 'root', '36500', root),
      middle: sign('middle', 'root', middleDays, middle),
      leaf: sign('leaf', 'middle', '36500', leaf),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
