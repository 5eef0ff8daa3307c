import { expect, test } from 'vitest'
import { descriptorProblem } from './descriptor-limit.ts'

const limits = (hard: string) =>
  `Max processes             96104    96104    processes\nMax open files            ${hard}      ${hard}      files\n`

test('too few file descriptors are reported with the number and a fix', () => {
  expect(descriptorProblem(limits('256'))).toMatch(/may only open 256 files.*ulimit -Hn/)
})

test('enough descriptors, and systems without the limit, are no problem', () => {
  expect([limits('1024'), limits('unlimited'), ''].map((text) => descriptorProblem(text))).toEqual(
    Array(3).fill(undefined),
  )
})
