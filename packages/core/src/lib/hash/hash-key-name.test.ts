import { describe, expect, test } from 'vitest'
import { hashKeyName, hashText, readHashFunction } from './hash-key-name.ts'

// The values come from fixtures/conformance/redis-vectors.json, which a running gateway produced.
const hashes = [
  ['', '00000000', '00000000000000000000000000000000'],
  ['abc', '00000000', 'b4963f3f3fad78673ba2744126ca2d52'],
  ['abcd', '86a7049e', 'b87bb7d64656cd4ff2003e886073e875'],
  ['abcde', '86a7049e', '2036d091f496bbb8c5c7eea04bcfec8c'],
  ['org1abcd-1', '6b0c687b', 'feee6e1484380e7ba7c0bfa6c4580035'],
  ['org1abcd-2', '6b0c687b', 'da515aeb05f41290d8391b8e40547537'],
  ['org1159c1979e4797469492410a17f9fbeb04', '470fd9a6', '3174bac898faddf0dda52b2279cde7af'],
  ['apilimiter-org1limited', '0c6475f7', '612eadc35e57d0d67205cefff6db294a'],
  ['GET:/ep', '355a3178', '032a1ad01946760de0951dca5deb48e3'],
  ['GET:/e', '355a3178', '1a0441aeccdf6539881104d6f0a44126'],
  ['GET:/widgets/{id}', '341daa53', 'a17315f83b4854d2accaf58580661b0f'],
  ['schlüssel-🔑', '3b1434ad', 'fbdcb1983963b6afb3ba3b274b663d4b'],
  ['01234567890123456789012345678901234567890123456789', 'c37aa228', '745884bb3a1039b8fa2dc4526e797ab8'],
] as const

describe('the hash of a text', () => {
  test.each(hashes)('of %j equals the hash of other nodes', (text, short, long) => {
    expect(hashText(text, 'murmur32')).toBe(short)
    expect(hashText(text, 'murmur128')).toBe(long)
    expect(hashText(text, 'murmur64')).toBe(long.slice(0, 16))
  })

  test('by sha256 is that of the UTF-8 bytes', () => {
    expect(hashText('', 'sha256')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(hashText('schlüssel-🔑', 'sha256')).toBe('78f5e9153615e8db666c2b09f9ab1038c98e851decfc5c55a95fd212576e5942')
  })
})

describe('the hash of a key', () => {
  test.each([
    ['eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXI2NCJ9', '62985806a3b2ffb0'],
    ['eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXIzMiJ9', '4795f933'],
    ['eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXIxMjgifQ==', 'a933a30d87c7b83c3b2e6cbbca6b0caa'],
    [
      'eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJzaGEyNTYifQ==',
      '855b6905da6e1ee6b7a0b534720e0caff226afd5e2c5737462c6f1b83f12b07d',
    ],
    ['eyJvcmciOiIiLCJpZCI6Im15a2V5IiwiaCI6Im11cm11cjY0In0=', 'c0325221c23c7318'],
  ])('uses the function in the name: %s', (name, hash) => {
    expect(hashKeyName(name)).toBe(hash)
  })

  test.each([
    ['org1mykey', 'd4a9b51c'],
    ['org1alice', '13df3418'],
    ['5e9d9544a1dcd60001d0ed20mykey', '20984dab'],
    ['eyJ', '00000000'],
    ['eyJvcmciOiJvcmcxIn0=', '40532c3b'],
    ['zz9d9544a1dcd60001d0ed20abc', '6314e4e6'],
  ])('is murmur32 if the name contains no function: %s', (name, hash) => {
    expect(hashKeyName(name)).toBe(hash)
  })
})

test('an unknown hash function means murmur64', () => {
  expect(readHashFunction('unknown')).toBe('murmur64')
  expect(readHashFunction('sha256')).toBe('sha256')
  expect(readHashFunction('')).toBe('')
})
