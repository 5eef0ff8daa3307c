import { describe, expect, it } from 'vitest'
import { bcryptPasswords } from './passwords-bcrypt.ts'

describe('bcrypt passwords', () => {
  it('match their own hash and no other', async () => {
    const hash = await bcryptPasswords.hash('correct horse')
    expect(hash).toMatch(/^\$2[aby]\$10\$.{53}$/)
    expect(await bcryptPasswords.matches('correct horse', hash)).toBe(true)
    expect(await bcryptPasswords.matches('wrong horse', hash)).toBe(false)
  })

  it('do not match an invalid hash', async () => {
    expect(await bcryptPasswords.matches('x', 'no hash')).toBe(false)
  })
})
