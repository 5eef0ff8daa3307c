/**
 * Seeds property tests. CI uses a fixed seed, so that a failure there is caused by the change. Other runs use a new random
 * seed each time. `TURNPIKE_SEED` sets a seed, or `random`.
 */
import fc from 'fast-check'

const inCi = process.env['CI'] !== undefined && process.env['CI'] !== '' && process.env['CI'] !== 'false'
const seedText = process.env['TURNPIKE_SEED'] ?? (inCi ? '20260101' : 'random')
if (seedText !== 'random') {
  const seed = Number(seedText)
  if (!Number.isInteger(seed)) throw new Error(`TURNPIKE_SEED is a whole number or "random", not ${seedText}`)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}
